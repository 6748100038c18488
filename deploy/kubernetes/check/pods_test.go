package check

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

func each(t *testing.T, rule func(t *testing.T, m *Manifests)) {
	t.Helper()
	for _, overlay := range Overlays() {
		t.Run(overlay, func(t *testing.T) {
			m, err := Render(filepath.Join("overlays", overlay))
			if err != nil {
				t.Fatal(err)
			}
			rule(t, m)
		})
	}
}

func text(t *testing.T, path ...string) string {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func selects(t *testing.T, selector *metav1.LabelSelector, pod corev1.PodTemplateSpec) bool {
	t.Helper()
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	return s.Matches(labels.Set(pod.Labels))
}

func TestOverlays_AreTheFiveProcessesAndTwoMigrations(t *testing.T) {
	each(t, func(t *testing.T, m *Manifests) {
		for _, name := range []string{"content-api", "content-worker", "payments-api", "payments-worker", "edge",
			"content-migrate", "payments-migrate"} {
			if _, found := m.Pods()[name]; !found {
				t.Errorf("there is no %s", name)
			}
		}
		for _, n := range m.Namespaces {
			if n.Labels["pod-security.kubernetes.io/enforce"] != "restricted" {
				t.Errorf("the namespace %s lets pods do more than restricted ones", n.Name)
			}
		}
		if len(m.Namespaces) != 1 {
			t.Errorf("%d namespaces", len(m.Namespaces))
		}
	})
}

func TestContainers_AreRestrictedAndLimited(t *testing.T) {
	each(t, func(t *testing.T, m *Manifests) {
		for name, pod := range m.Pods() {
			p := pod.Spec.SecurityContext
			if p == nil || p.RunAsNonRoot == nil || !*p.RunAsNonRoot || p.RunAsUser == nil || *p.RunAsUser == 0 || p.FSGroup == nil ||
				p.SeccompProfile == nil || p.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
				t.Errorf("%s may be root, or make any system call", name)
			}
			if pod.Spec.AutomountServiceAccountToken == nil || *pod.Spec.AutomountServiceAccountToken {
				t.Errorf("%s has a token of the cluster", name)
			}
			for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
				s := c.SecurityContext
				if s == nil || s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || s.ReadOnlyRootFilesystem == nil ||
					!*s.ReadOnlyRootFilesystem || s.Capabilities == nil || !slices.Equal(s.Capabilities.Drop, []corev1.Capability{"ALL"}) ||
					len(s.Capabilities.Add) > 0 {
					t.Errorf("%s may gain privileges, or write to its image", name)
				}
				soft, hard := c.Resources.Requests.Memory().Value(), c.Resources.Limits.Memory().Value()
				if soft == 0 || hard == 0 || c.Resources.Requests.Cpu().IsZero() || c.Resources.Limits.Cpu().IsZero() {
					t.Errorf("%s is not limited", name)
				}
				if soft*100 > hard*80 {
					t.Errorf("%s: Go's soft limit of %d is too near to the hard one of %d", name, soft, hard)
				}
			}
		}
	})
}

func TestContainers_TakeGosMemoryLimitFromWhatIsReserved(t *testing.T) {
	each(t, func(t *testing.T, m *Manifests) {
		for name, pod := range m.Pods() {
			if name == "redis" {
				continue
			}
			found := slices.ContainsFunc(pod.Spec.Containers[0].Env, func(e corev1.EnvVar) bool {
				return e.Name == "GOMEMLIMIT" && e.ValueFrom != nil && e.ValueFrom.ResourceFieldRef != nil &&
					e.ValueFrom.ResourceFieldRef.Resource == "requests.memory"
			})
			if !found {
				t.Errorf("%s has no GOMEMLIMIT", name)
			}
		}
	})
}

func TestPodsThatLast_HaveABudgetAPolicyAndProbes(t *testing.T) {
	each(t, func(t *testing.T, m *Manifests) {
		for name, pod := range m.Lasting() {
			var budgets, policies int
			for _, b := range m.Budgets {
				if selects(t, b.Spec.Selector, pod) {
					budgets++
					if b.Spec.MaxUnavailable == nil {
						t.Errorf("%s: a budget that bounds what stays keeps a machine from being drained", b.Name)
					}
				}
			}
			for _, p := range m.Policies {
				if len(p.Spec.PodSelector.MatchLabels) > 0 && selects(t, &p.Spec.PodSelector, pod) && len(p.Spec.PolicyTypes) == 2 {
					policies++
				}
			}
			if budgets != 1 || policies != 1 {
				t.Errorf("%s has %d budgets and %d policies of its own", name, budgets, policies)
			}
			for _, c := range pod.Spec.Containers {
				if c.ReadinessProbe == nil || c.LivenessProbe == nil {
					t.Errorf("%s lacks a probe", name)
					continue
				}
				for _, probe := range []*corev1.Probe{c.ReadinessProbe, c.LivenessProbe} {
					port := ""
					if probe.HTTPGet != nil {
						port = probe.HTTPGet.Port.StrVal
					} else if probe.TCPSocket != nil {
						port = probe.TCPSocket.Port.StrVal
					}
					if !slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.Name == port }) {
						t.Errorf("%s has no port %q for a probe", name, port)
					}
				}
			}
		}
	})
}

// Whoever ends is given the time that its requests or jobs have.
func TestDeployments_AreGivenTheTimeToLeave(t *testing.T) {
	const requests, margin = 25 * time.Second, 5 * time.Second
	each(t, func(t *testing.T, m *Manifests) {
		pause, err := time.ParseDuration(setting(t, m, "DRAIN_PAUSE"))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range m.Deployments {
			if d.Name == "redis" {
				continue
			}
			given := d.Spec.Template.Spec.TerminationGracePeriodSeconds
			if given == nil || time.Duration(*given)*time.Second < pause+requests+margin {
				t.Errorf("%s is killed before its requests end", d.Name)
			}
			if u := d.Spec.Strategy.RollingUpdate; u == nil || u.MaxUnavailable == nil || u.MaxUnavailable.IntValue() != 0 {
				t.Errorf("%s stops before its successor is ready", d.Name)
			}
		}
	})
}

func setting(t *testing.T, m *Manifests, name string) string {
	t.Helper()
	for _, s := range m.Settings {
		if value, found := s.Data[name]; found {
			return value
		}
	}
	t.Fatalf("there is no setting %s", name)
	return ""
}

var variable = regexp.MustCompile("`([A-Z][A-Z0-9_]+)`|\\{\\$([A-Z][A-Z0-9_]+)[:}]")

// Who wants traces takes a component; nothing else sends any.
func TestTraces_AreSentOnlyWhereTheComponentIsTaken(t *testing.T) {
	const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
	each(t, func(t *testing.T, m *Manifests) {
		for _, s := range m.Settings {
			if s.Data[endpoint] != "" {
				t.Errorf("%s sends traces", s.Name)
			}
		}
	})
	m, err := Render(filepath.Join("check", "testdata", "traced"))
	if err != nil {
		t.Fatal(err)
	}
	isSet := slices.ContainsFunc(m.Settings, func(s *corev1.ConfigMap) bool { return s.Data[endpoint] != "" })
	mayLeave := slices.ContainsFunc(m.Policies, func(p *networkingv1.NetworkPolicy) bool { return p.Name == "traces" })
	if !isSet || !mayLeave {
		t.Errorf("the component sets the address: %v, lets traces out: %v", isSet, mayLeave)
	}
}

// ofLibraries are variables that no service of ours reads itself.
var ofLibraries = []string{"AWS_SHARED_CREDENTIALS_FILE"}

func TestVariables_AreThoseOfTheInstallationPage(t *testing.T) {
	documented := text(t, "deploy", "README.md")
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	edge, err := os.ReadFile(filepath.Join(root, "deploy", "edge", "Caddyfile"))
	known := slices.Clone(ofLibraries)
	for _, v := range variable.FindAllStringSubmatch(documented+string(edge), -1) {
		known = append(known, v[1]+v[2])
	}
	check := func(t *testing.T, of, name string) {
		t.Helper()
		if strings.HasPrefix(name, "EDGE_") && err != nil {
			return // the edge's own are in its Caddyfile
		}
		if !slices.Contains(known, name) && !slices.Contains(known, strings.TrimSuffix(name, "_FILE")) {
			t.Errorf("%s sets %s, which deploy/README.md does not have", of, name)
		}
	}
	each(t, func(t *testing.T, m *Manifests) {
		for _, s := range m.Settings {
			for name := range s.Data {
				check(t, s.Name, name)
			}
		}
		for name, pod := range m.Pods() {
			for _, c := range pod.Spec.Containers {
				for _, e := range c.Env {
					check(t, name, e.Name)
				}
				for _, from := range c.EnvFrom {
					if from.SecretRef != nil {
						t.Errorf("%s has secrets in its environment", name)
					}
				}
			}
		}
	})
}

// Secrets are files: each variable names one that is mounted, each that is mounted is named, and the example has them all.
func TestSecrets_AreFilesThatTheExampleHas(t *testing.T) {
	example, err := Render("secrets.example")
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, m *Manifests) {
		if len(m.Secrets) > 0 {
			t.Error("the manifests hold secrets themselves")
		}
		for name, pod := range m.Pods() {
			mounted := map[string]bool{}
			for _, v := range pod.Spec.Volumes {
				if v.Secret != nil {
					t.Errorf("%s mounts a secret whole", name)
				}
				if v.Projected == nil {
					continue
				}
				if mode := v.Projected.DefaultMode; mode == nil || *mode != 0o440 {
					t.Errorf("%s: the files' mode is not 0440", name)
				}
				for _, s := range v.Projected.Sources {
					for _, item := range s.Secret.Items {
						mounted["/run/secrets/talkoot/"+item.Path] = false
						if !slices.ContainsFunc(example.Secrets, func(e *corev1.Secret) bool {
							_, found := e.Data[item.Key]
							return e.Name == s.Secret.Name && found
						}) {
							t.Errorf("secrets.example has no %s of %s", item.Key, s.Secret.Name)
						}
					}
				}
			}
			for _, c := range pod.Spec.Containers {
				for _, e := range c.Env {
					if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
						t.Errorf("%s has the secret %s in its environment", name, e.Name)
					}
					if !strings.HasSuffix(e.Name, "_FILE") {
						continue
					}
					if _, found := mounted[e.Value]; !found {
						t.Errorf("%s: %s names %s, which is not mounted", name, e.Name, e.Value)
					}
					mounted[e.Value] = true
				}
			}
			for path, used := range mounted {
				if !used {
					t.Errorf("%s mounts %s and does not read it", name, path)
				}
			}
		}
	})
}

// A release changes one file.
func TestImages_ArePinnedInOnePlace(t *testing.T) {
	var pinned struct {
		Images []struct{ Name, NewName, NewTag, Digest string }
	}
	if err := yaml.Unmarshal([]byte(text(t, "deploy", "kubernetes", "images", "kustomization.yaml")), &pinned); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, i := range pinned.Images {
		image := i.NewName + ":" + i.NewTag
		if i.Digest != "" {
			image = i.NewName + "@" + i.Digest
		}
		if i.NewTag+i.Digest == "" || i.NewTag == "latest" {
			t.Errorf("%s is not pinned", i.Name)
		}
		all = append(all, image)
	}
	each(t, func(t *testing.T, m *Manifests) {
		for name, pod := range m.Pods() {
			for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
				if !slices.Contains(all, c.Image) {
					t.Errorf("%s runs %s, which images/kustomization.yaml does not pin", name, c.Image)
				}
			}
		}
		for _, o := range m.Foreign {
			if o["kind"] != "Cluster" {
				continue
			}
			if image, _ := o["spec"].(map[string]any)["imageName"].(string); !slices.Contains(all, image) {
				t.Errorf("a database runs %q, which images/kustomization.yaml does not pin", image)
			}
		}
	})
}
