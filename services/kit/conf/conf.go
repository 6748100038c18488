// Package conf fills one struct per binary from the environment and reports every fault at once, each with its remedy.
//
// Tags of a field: env:"ADDR" is the variable's name; default:"127.0.0.1:8081" is used when it is unset or empty;
// required:"true" makes that a fault; help:"host:port" is added to the variable's faults;
// min:"1" is the least that a whole number may be. Any variable can be read from a
// file instead: ADDR_FILE=/run/secrets/addr (a final line break is cut off). A struct without an env tag is filled field by
// field. Kinds: string, Secret, bool, integers, time.Duration, url.URL, []string (split at commas) and whatever has
// UnmarshalText.
//
// Rules for a value and between fields belong in the struct's Validate.
package conf

import (
	"encoding"
	"errors"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Load fills the struct that target points to from environ, a list of KEY=value as os.Environ gives it. When the
// struct has Validate() error it is called at the end, if every value could be read. The error joins all faults.
func Load(target any, environ []string) error {
	value := reflect.ValueOf(target)
	if value.Kind() != reflect.Pointer || value.IsNil() || value.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("conf: target is %T, want a pointer to a struct", target)
	}
	variables := make(map[string]string, len(environ))
	for _, pair := range environ {
		if name, text, ok := strings.Cut(pair, "="); ok {
			variables[name] = text
		}
	}
	faults := fill(value.Elem(), variables)
	if slices.ContainsFunc(faults, func(err error) bool { return !errors.Is(err, errTooSmall) }) {
		return errors.Join(faults...)
	}
	if v, ok := target.(interface{ Validate() error }); ok {
		faults = append(faults, v.Validate())
	}
	return errors.Join(faults...)
}

// errTooSmall is a number that was read and is below its least.
var errTooSmall = errors.New("too small")

func fill(target reflect.Value, variables map[string]string) (faults []error) {
	for i := range target.NumField() {
		field := target.Type().Field(i)
		name, tagged := field.Tag.Lookup("env")
		if !tagged {
			if field.Type.Kind() == reflect.Struct && field.IsExported() {
				faults = append(faults, fill(target.Field(i), variables)...)
			}
			continue
		}
		if err := fillField(target.Field(i), field, name, variables); err != nil {
			if help := field.Tag.Get("help"); help != "" {
				err = fmt.Errorf("%w (%s)", err, help)
			}
			faults = append(faults, err)
		}
	}
	return faults
}

func fillField(target reflect.Value, field reflect.StructField, name string, variables map[string]string) error {
	text, err := lookup(name, variables)
	if err != nil {
		return err
	}
	if text == "" {
		if field.Tag.Get("required") == "true" {
			return fmt.Errorf("%s is not set: set it, or %s_FILE to the path of a file that holds it", name, name)
		}
		if text = field.Tag.Get("default"); text == "" {
			return nil
		}
	}
	if err := set(target, text, field.Tag.Get("min")); err != nil {
		shown := strconv.Quote(text)
		if target.Type() == reflect.TypeFor[Secret]() {
			shown = hidden
		}
		return fmt.Errorf("%s is %s: %w", name, shown, err)
	}
	return nil
}

func lookup(name string, variables map[string]string) (string, error) {
	path := variables[name+"_FILE"]
	if path == "" {
		return variables[name], nil
	}
	if variables[name] != "" {
		return "", fmt.Errorf("%s and %s_FILE are both set: unset one", name, name)
	}
	content, err := os.ReadFile(path) // the operator names the file
	if err != nil {
		return "", fmt.Errorf("%s_FILE cannot be read: %w", name, err)
	}
	text := strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	if text == "" {
		return "", fmt.Errorf("%s_FILE names the empty file %s: put the value into it", name, path)
	}
	return text, nil
}

// set parses text into target; least is the least whole number, if there is one. Its errors name the expected form and never repeat the text, which may be a secret.
func set(target reflect.Value, text, least string) error {
	switch target.Interface().(type) {
	case time.Duration:
		d, err := time.ParseDuration(text)
		if err != nil {
			return errors.New(`want a duration such as "30s" or "5m"`)
		}
		target.SetInt(int64(d))
		return nil
	case url.URL:
		u, err := url.Parse(text)
		if err != nil || u.Scheme == "" || u.Host == "" {
			return errors.New(`want a whole address such as "http://localhost:8081"`)
		}
		target.Set(reflect.ValueOf(*u))
		return nil
	case []string:
		var list []string
		for item := range strings.SplitSeq(text, ",") {
			if item = strings.TrimSpace(item); item != "" {
				list = append(list, item)
			}
		}
		target.Set(reflect.ValueOf(list))
		return nil
	}
	if u, ok := target.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch target.Kind() {
	case reflect.String:
		target.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return errors.New("want true or false")
		}
		target.SetBool(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, target.Type().Bits())
		if err != nil {
			return errors.New("want a whole number")
		}
		target.SetInt(n)
		if from, err := strconv.ParseInt(least, 10, 64); err == nil && n < from {
			return fmt.Errorf("%w: want a whole number from %d", errTooSmall, from)
		}
	default:
		return fmt.Errorf("a field of type %s cannot be filled", target.Type())
	}
	return nil
}
