//go:build unix

package dbtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Tables says which packages of a service write to a table: one, or a comment there says why. Packages call others to
// change theirs.
type Tables struct {
	Owners map[string][]string // by table, the packages' folders in Packages
	// Packages is the folder of the packages, Migrations that of the SQL files.
	Packages, Migrations string
	Skip                 []string // folders that are for tests
	// Readers name the models of others without writing them, as "variations: campaigns.Record".
	Readers []string
}

var (
	writing = regexp.MustCompile(`\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE)\s+([a-z_]+)`)
	created = regexp.MustCompile(`(?m)^CREATE (?:UNLOGGED )?TABLE ([a-z_]+) \(`)
)

// Check reads the service's source. A write is a table that SQL, a GORM model, tx.Table or a changes.Entity names;
// whoever names another package's model could pass it to Create, which is a fault too.
func (o Tables) Check(t *testing.T) {
	t.Helper()
	var sources []source
	models := map[string]bool{} // as campaigns.Record
	err := filepath.WalkDir(o.Packages, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains(o.Skip, entry.Name()) {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, ".gen.go") {
			return nil
		}
		inside, err := filepath.Rel(o.Packages, path)
		if err != nil {
			return err
		}
		s, err := read(path)
		s.domain = filepath.Base(filepath.Dir(inside))
		for _, model := range s.models {
			models[s.domain+"."+model] = true
		}
		sources = append(sources, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, s := range sources {
		for _, table := range s.tables {
			found++
			if !slices.Contains(o.Owners[table], s.domain) {
				t.Errorf("%s writes to %s, which %v owns", s.path, table, o.Owners[table])
			}
		}
		for _, name := range s.names {
			if models[name] && !strings.HasPrefix(name, s.domain+".") && !slices.Contains(o.Readers, s.domain+": "+name) {
				t.Errorf("%s names %s, the model of another package's table", s.path, name)
			}
		}
	}
	if found < len(o.Owners)/2 {
		t.Errorf("only %d writes are found", found)
	}
	o.checkOwners(t)
}

// checkOwners compares Owners with the tables of the migrations.
func (o Tables) checkOwners(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(o.Migrations, "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range created.FindAllSubmatch(text, -1) {
			tables = append(tables, string(match[1]))
		}
	}
	for _, table := range tables {
		if len(o.Owners[table]) == 0 {
			t.Errorf("nobody owns %s", table)
		}
	}
	for table := range o.Owners {
		if !slices.Contains(tables, table) {
			t.Errorf("there is no table %s", table)
		}
	}
}

// source is what a file of production code says about tables.
type source struct {
	path, domain string
	tables       []string // named for writing
	models       []string // types with a TableName
	names        []string // of other packages, as campaigns.Record
}

func read(path string) (s source, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return s, err
	}
	s.path = path
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
				for _, match := range writing.FindAllStringSubmatch(text, -1) {
					s.tables = append(s.tables, match[1])
				}
			}
		case *ast.KeyValueExpr: // changes.Entity{Table: …}, whose columns package changes writes
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Table" {
				s.addTable(n.Value)
			}
		case *ast.CallExpr: // tx.Table("…")
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Table" && len(n.Args) == 1 {
				s.addTable(n.Args[0])
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				s.names = append(s.names, x.Name+"."+n.Sel.Name)
			}
		case *ast.FuncDecl:
			if n.Name.Name == "TableName" {
				s.addTable(n.Body.List[0].(*ast.ReturnStmt).Results[0])
				if model, ok := n.Recv.List[0].Type.(*ast.Ident); ok {
					s.models = append(s.models, model.Name)
				}
			}
		}
		return true
	})
	return s, nil
}

// addTable adds a table whose name is written out.
func (s *source) addTable(name ast.Expr) {
	if text, ok := name.(*ast.BasicLit); ok && text.Kind == token.STRING {
		table, _ := strconv.Unquote(text.Value)
		s.tables = append(s.tables, table)
	}
}
