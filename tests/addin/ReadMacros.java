// Prints every module of a VBA project as Apache POI reads it: name, length and SHA-256 of its source.
import java.io.File;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;
import org.apache.poi.poifs.macros.VBAMacroReader;

public class ReadMacros {
    public static void main(String[] arguments) throws Exception {
        try (VBAMacroReader reader = new VBAMacroReader(new File(arguments[0]))) {
            for (Map.Entry<String, String> module : new TreeMap<>(reader.readMacros()).entrySet()) {
                byte[] source = module.getValue().getBytes("windows-1252");
                StringBuilder digest = new StringBuilder();
                for (byte part : MessageDigest.getInstance("SHA-256").digest(source)) {
                    digest.append(String.format("%02x", part));
                }
                System.out.println(module.getKey() + " " + source.length + " " + digest);
            }
        }
    }
}
