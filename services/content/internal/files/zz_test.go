package files
import ("testing";"os";"path/filepath";"strings";"time";"fmt")
func TestZZ(t *testing.T){
 fs,_:=filepath.Glob("/work/shared/look/art/*/*.svg"); g,_:=filepath.Glob("/tmp/out/*-1.svg"); fs=append(fs,g...)
 os.MkdirAll("/tmp/ras",0o755)
 for _,f:=range fs { b,_:=os.ReadFile(f); st:=time.Now(); d,err:=rasteriseDrawing(b,size{480,252}); e1:=time.Since(st)
  if err!=nil{fmt.Println(f,err);continue}
  st=time.Now(); br,_:=compress(b,"br"); e2:=time.Since(st); st=time.Now(); gz,_:=compress(b,"gzip"); e3:=time.Since(st)
  if strings.Contains(f,"out") {fmt.Println(filepath.Base(f),len(d),e1,"br",len(br),e2,"gz",len(gz),e3)}
  os.WriteFile("/tmp/ras/"+filepath.Base(f)+".jpg",d,0o644)}
 b,_:=os.ReadFile("/work/shared/look/art/covers/sauna-boat.svg"); st:=time.Now(); d,_:=rasteriseDrawing(b,size{1200,630}); fmt.Println("1200", time.Since(st),len(d)); os.WriteFile("/tmp/big.jpg",d,0o644)
}
