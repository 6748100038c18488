package tracing

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Config is the part of a process's environment that is about traces: OpenTelemetry's own variables, as conf.Load reads them.
type Config struct {
	// Endpoint is where traces are sent; without one there are none.
	Endpoint url.URL `env:"OTEL_EXPORTER_OTLP_ENDPOINT" help:"http://collector:4318; empty for no traces"`
	// Protocol is how; one is spoken.
	Protocol string `env:"OTEL_EXPORTER_OTLP_PROTOCOL" default:"http/protobuf"`
	// Sampler says which traces are kept.
	Sampler string `env:"OTEL_TRACES_SAMPLER" default:"parentbased_always_on"`
	// SamplerArg is the share of a sampler by ratio.
	SamplerArg string `env:"OTEL_TRACES_SAMPLER_ARG" help:"0 to 1, such as 0.1"`
	// ServiceName is the process's name in traces; the service's own when empty.
	ServiceName string `env:"OTEL_SERVICE_NAME"`
}

const (
	httpProtobuf = "http/protobuf"
	byRatio      = "traceidratio"
	parentBased  = "parentbased_"
)

// roots are the samplers by their standard names, without parentbased_ before them.
var roots = map[string]func(ratio float64) sdktrace.Sampler{
	"always_on":  func(float64) sdktrace.Sampler { return sdktrace.AlwaysSample() },
	"always_off": func(float64) sdktrace.Sampler { return sdktrace.NeverSample() },
	byRatio:      sdktrace.TraceIDRatioBased,
}

// Validate reports everything that is wrong, also of what is not used while there is no endpoint.
func (c Config) Validate() error {
	var faults []error
	if c.IsOn() && c.Endpoint.Scheme != "http" && c.Endpoint.Scheme != "https" {
		faults = append(faults, errors.New("OTEL_EXPORTER_OTLP_ENDPOINT must begin with http:// or https://"))
	}
	if c.Protocol != "" && c.Protocol != httpProtobuf {
		faults = append(faults, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q: %s is spoken, at a collector usually on port 4318",
			c.Protocol, httpProtobuf))
	}
	root := strings.TrimPrefix(c.Sampler, parentBased)
	if c.Sampler != "" && roots[root] == nil {
		known := strings.Join(slices.Sorted(maps.Keys(roots)), ", ")
		faults = append(faults, fmt.Errorf("OTEL_TRACES_SAMPLER is %q: want one of %s, or one of them behind %s",
			c.Sampler, known, parentBased))
	}
	switch ratio, err := strconv.ParseFloat(c.SamplerArg, 64); {
	case c.SamplerArg == "":
	case root != byRatio:
		faults = append(faults, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG is set, and OTEL_TRACES_SAMPLER takes none: set it to %s%s",
			parentBased, byRatio))
	case err != nil || !(0 <= ratio && ratio <= 1):
		faults = append(faults, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG is %q: want a share from 0 to 1, such as 0.1", c.SamplerArg))
	}
	return errors.Join(faults...)
}

// IsOn reports whether there is somewhere to send traces to.
func (c Config) IsOn() bool { return c.Endpoint.Host != "" }

// samplers are that of every span, and that of traces which begin.
func (c Config) samplers() (all, root sdktrace.Sampler) {
	ratio, err := strconv.ParseFloat(c.SamplerArg, 64)
	if err != nil {
		ratio = 1 // not set, which is all by the standard
	}
	name, isParentBased := strings.CutPrefix(c.Sampler, parentBased)
	if roots[name] == nil {
		name, isParentBased = "always_on", true
	}
	root = roots[name](ratio)
	if isParentBased {
		return sdktrace.ParentBased(root), root
	}
	return root, root
}
