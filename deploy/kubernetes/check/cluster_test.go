package check

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// reaches tells whether one pod may open a connection to another's port: its own policies let it out, and the other's let it in.
func reaches(t *testing.T, m *Manifests, from, to corev1.PodTemplateSpec, port int) bool {
	t.Helper()
	out, in := false, false
	for _, p := range m.Policies {
		if selects(t, &p.Spec.PodSelector, from) {
			for _, rule := range p.Spec.Egress {
				out = out || opens(rule.Ports, port) && names(t, rule.To, to)
			}
		}
		if selects(t, &p.Spec.PodSelector, to) {
			for _, rule := range p.Spec.Ingress {
				in = in || opens(rule.Ports, port) && names(t, rule.From, from)
			}
		}
	}
	return out && in
}

func opens(ports []networkingv1.NetworkPolicyPort, port int) bool {
	return slices.ContainsFunc(ports, func(p networkingv1.NetworkPolicyPort) bool { return p.Port != nil && p.Port.IntValue() == port })
}

// names tells whether a pod of our namespace is among the peers; no peers at all are everybody.
func names(t *testing.T, peers []networkingv1.NetworkPolicyPeer, pod corev1.PodTemplateSpec) bool {
	t.Helper()
	return len(peers) == 0 || slices.ContainsFunc(peers, func(p networkingv1.NetworkPolicyPeer) bool {
		return p.NamespaceSelector == nil && p.PodSelector != nil && selects(t, p.PodSelector, pod)
	})
}

// outside tells whether a pod may open a connection to the world's addresses at a port.
func outside(t *testing.T, m *Manifests, from corev1.PodTemplateSpec, port int) bool {
	t.Helper()
	for _, p := range m.Policies {
		if !selects(t, &p.Spec.PodSelector, from) {
			continue
		}
		for _, rule := range p.Spec.Egress {
			if opens(rule.Ports, port) && slices.ContainsFunc(rule.To, func(p networkingv1.NetworkPolicyPeer) bool { return p.IPBlock != nil }) {
				return true
			}
		}
	}
	return false
}

func TestPolicies_LetEachReachWhatItNeedsAndNothingElse(t *testing.T) {
	want := map[string][]string{
		"edge":             {"content-api:8081", "payments-api:8082"},
		"content-api":      {"payments-api:8082", "content-db:5432", "redis:6379", "world:443"},
		"content-worker":   {"payments-api:8082", "content-db:5432", "world:443", "world:465", "world:587"},
		"payments-api":     {"content-api:8081", "payments-db:5432", "redis:6379", "world:443"},
		"payments-worker":  {"content-api:8081", "payments-db:5432", "redis:6379", "world:443"},
		"content-migrate":  {"content-db:5432"},
		"payments-migrate": {"payments-db:5432"},
		"redis":            nil,
	}
	ports := []int{25, 80, 443, 465, 587, 5432, 6379, 8080, 8081, 8082, 8083, 8084}
	each(t, func(t *testing.T, m *Manifests) {
		pods := m.Pods()
		for _, db := range []string{"content-db", "payments-db"} {
			pods[db] = corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"cnpg.io/cluster": db}}}
		}
		_, redis := pods["redis"]
		for from := range m.Pods() {
			var got []string
			for _, port := range ports {
				for to, pod := range pods {
					if to != from && reaches(t, m, pods[from], pod, port) {
						got = append(got, to+":"+strconv.Itoa(port))
					}
				}
				if outside(t, m, pods[from], port) {
					got = append(got, "world:"+strconv.Itoa(port))
				}
			}
			wanted := slices.DeleteFunc(slices.Clone(want[from]), func(w string) bool { return w == "redis:6379" && !redis })
			slices.Sort(got)
			slices.Sort(wanted)
			if !slices.Equal(got, wanted) {
				t.Errorf("%s reaches %v, and should %v", from, got, wanted)
			}
		}
	})
}

func TestPolicies_DenyWhatNoneAllows(t *testing.T) {
	each(t, func(t *testing.T, m *Manifests) {
		if !slices.ContainsFunc(m.Policies, func(p *networkingv1.NetworkPolicy) bool {
			return len(p.Spec.PodSelector.MatchLabels) == 0 && len(p.Spec.PolicyTypes) == 2 && len(p.Spec.Ingress)+len(p.Spec.Egress) == 0
		}) {
			t.Error("there is no policy that denies everything")
		}
	})
}

func TestServices_LeadToPortsThatPodsHave(t *testing.T) {
	each(t, func(t *testing.T, m *Manifests) {
		for _, s := range m.Services {
			found := false
			for _, pod := range m.Lasting() {
				if !selects(t, &metav1.LabelSelector{MatchLabels: s.Spec.Selector}, pod) {
					continue
				}
				for _, p := range pod.Spec.Containers[0].Ports {
					found = found || p.Name == s.Spec.Ports[0].TargetPort.StrVal
				}
			}
			if !found {
				t.Errorf("the service %s leads nowhere", s.Name)
			}
		}
		for _, d := range m.Deployments { // Redis has no account: it gets no token of any
			if d.Name != "redis" && !slices.ContainsFunc(m.Accounts, func(a *corev1.ServiceAccount) bool {
				return a.Name == d.Spec.Template.Spec.ServiceAccountName && a.AutomountServiceAccountToken != nil && !*a.AutomountServiceAccountToken
			}) {
				t.Errorf("%s has no account of its own, without a token", d.Name)
			}
		}
	})
}

// An autoscaler and a fixed number would undo each other; a metric that nobody shows scales nothing.
func TestScalers_HaveTheirDeploymentToThemselves(t *testing.T) {
	exposed := text(t, "deploy", "prometheus", "exposed.txt")
	each(t, func(t *testing.T, m *Manifests) {
		for _, s := range m.Scalers {
			for _, d := range m.Deployments {
				if d.Name == s.Spec.ScaleTargetRef.Name && d.Spec.Replicas != nil {
					t.Errorf("%s is scaled, and has a number of replicas", d.Name)
				}
			}
			if _, found := m.Pods()[s.Spec.ScaleTargetRef.Name]; !found {
				t.Errorf("%s scales nothing", s.Name)
			}
			for _, metric := range s.Spec.Metrics {
				if metric.External != nil && !strings.Contains(exposed, ": "+metric.External.Metric.Name+" ") {
					t.Errorf("%s follows %s, which nobody shows", s.Name, metric.External.Metric.Name)
				}
			}
		}
	})
}

// All pools together stay below what a database takes, in the middle of a rollout too.
func TestDatabases_TakeTheConnectionsOfAllProcesses(t *testing.T) {
	const contentPool, paymentsPool, spare = 20, 16, 20 // the defaults of DATABASE_CONNS; migrations, an operator and the operator's own
	each(t, func(t *testing.T, m *Manifests) {
		need := map[string]int{"content-db": spare, "payments-db": spare}
		for _, d := range m.Deployments {
			most := 1
			if d.Spec.Replicas != nil {
				most = int(*d.Spec.Replicas)
			}
			for _, s := range m.Scalers {
				if s.Spec.ScaleTargetRef.Name == d.Name {
					most = int(s.Spec.MaxReplicas)
				}
			}
			switch service, _, _ := strings.Cut(d.Name, "-"); service {
			case "content":
				need["content-db"] += (most + 1) * contentPool
			case "payments":
				need["payments-db"] += (most + 1) * paymentsPool
			}
		}
		for _, o := range m.Foreign {
			if o["kind"] != "Cluster" {
				continue
			}
			name, _ := o["metadata"].(map[string]any)["name"].(string)
			postgresql, _ := o["spec"].(map[string]any)["postgresql"].(map[string]any)
			parameters, _ := postgresql["parameters"].(map[string]any)
			given, _ := parameters["max_connections"].(string)
			if takes, err := strconv.Atoi(given); err != nil || takes < need[name] {
				t.Errorf("%s takes %q connections, and needs %d", name, given, need[name])
			}
		}
	})
}

// The three find each other, and a leader, by names and ports that the manifest has.
func TestSentinels_FindEachOtherByTheirOwnNames(t *testing.T) {
	m, err := Render(filepath.Join("overlays", "large"))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Sets) != 1 || *m.Sets[0].Spec.Replicas != 3 {
		t.Fatalf("%d sets", len(m.Sets))
	}
	set := m.Sets[0]
	begin := set.Spec.Template.Spec.InitContainers[0].Command[2]
	for n := range *set.Spec.Replicas {
		if name := set.Name + "-" + strconv.Itoa(int(n)); !strings.Contains(begin, name) {
			t.Errorf("who begins does not ask %s", name)
		}
	}
	if !strings.Contains(begin, "."+set.Spec.ServiceName) {
		t.Errorf("pods have names of %s, by which nobody is asked", set.Spec.ServiceName)
	}
	members := slices.IndexFunc(m.Services, func(s *corev1.Service) bool { return s.Name == set.Spec.ServiceName })
	if members < 0 || m.Services[members].Spec.ClusterIP != corev1.ClusterIPNone || !m.Services[members].Spec.PublishNotReadyAddresses {
		t.Errorf("%s gives pods no names before they are ready", set.Spec.ServiceName)
	}
	for _, from := range []string{"content-api", "payments-api", "payments-worker", set.Name} {
		for _, port := range []int{6379, 26379} {
			if !reaches(t, m, m.Pods()[from], set.Spec.Template, port) {
				t.Errorf("%s does not reach port %d", from, port)
			}
		}
	}
}
