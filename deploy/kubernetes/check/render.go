// Package check builds the overlays and holds them to what Kubernetes takes and to rules of our own. It is a module of its own:
// what it needs of Kubernetes is more than all else together, and only who changes manifests needs it.
package check

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// Overlays are the installations that are held to the rules.
func Overlays() []string { return []string{"small", "large"} }

// foreign are the kinds of others, which no type of Kubernetes' own describes.
var foreign = []string{"Cluster", "ObjectStore", "ScheduledBackup", "PodMonitor", "PrometheusRule"} // a constant list

// Manifests are an overlay's objects.
type Manifests struct {
	Deployments []*appsv1.Deployment
	Sets        []*appsv1.StatefulSet
	Jobs        []*batchv1.Job
	Services    []*corev1.Service
	Accounts    []*corev1.ServiceAccount
	Settings    []*corev1.ConfigMap
	Secrets     []*corev1.Secret
	Namespaces  []*corev1.Namespace
	Budgets     []*policyv1.PodDisruptionBudget
	Policies    []*networkingv1.NetworkPolicy
	Scalers     []*autoscalingv2.HorizontalPodAutoscaler
	Foreign     []map[string]any
}

// Root is the checkout, whose folder this module is in.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the working folder: %w", err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
	}
	return "", errors.New("this is no checkout: there is no go.work above")
}

// Render builds a folder of deploy/kubernetes, as kubectl apply -k does.
func Render(folder string) (*Manifests, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	options := krusty.MakeDefaultOptions()
	options.PluginConfig = types.DisabledPluginConfig()
	built, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), filepath.Join(root, "deploy", "kubernetes", folder))
	if err != nil {
		return nil, fmt.Errorf("build %s: %w", folder, err)
	}
	decode, err := decoder()
	if err != nil {
		return nil, err
	}
	made := &Manifests{}
	var faults []error
	for _, r := range built.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", r.CurId(), err)
		}
		if err := made.add(decode, r.GetKind(), text); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", r.CurId(), err))
		}
	}
	return made, errors.Join(faults...)
}

// decoder knows Kubernetes' own kinds, and refuses fields that they do not have, and fields that are there twice.
func decoder() (runtime.Decoder, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme,
		corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("learn Kubernetes' kinds: %w", err)
		}
	}
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true}), nil
}

func (m *Manifests) add(decode runtime.Decoder, kind string, text []byte) error {
	if slices.Contains(foreign, kind) {
		var object map[string]any
		if err := yaml.Unmarshal(bytes.Clone(text), &object); err != nil {
			return fmt.Errorf("read it: %w", err)
		}
		m.Foreign = append(m.Foreign, object)
		return nil
	}
	object, _, err := decode.Decode(text, nil, nil)
	if err != nil {
		return fmt.Errorf("decode it: %w", err)
	}
	switch o := object.(type) {
	case *appsv1.Deployment:
		m.Deployments = append(m.Deployments, o)
	case *appsv1.StatefulSet:
		m.Sets = append(m.Sets, o)
	case *batchv1.Job:
		m.Jobs = append(m.Jobs, o)
	case *corev1.Service:
		m.Services = append(m.Services, o)
	case *corev1.ServiceAccount:
		m.Accounts = append(m.Accounts, o)
	case *corev1.ConfigMap:
		m.Settings = append(m.Settings, o)
	case *corev1.Secret:
		m.Secrets = append(m.Secrets, o)
	case *corev1.Namespace:
		m.Namespaces = append(m.Namespaces, o)
	case *policyv1.PodDisruptionBudget:
		m.Budgets = append(m.Budgets, o)
	case *networkingv1.NetworkPolicy:
		m.Policies = append(m.Policies, o)
	case *autoscalingv2.HorizontalPodAutoscaler:
		m.Scalers = append(m.Scalers, o)
	default:
		return fmt.Errorf("no rule holds for the kind %s: give it some", kind)
	}
	return nil
}

// Pods are the templates of all pods, by the name of what makes them.
func (m *Manifests) Pods() map[string]corev1.PodTemplateSpec {
	all := m.Lasting()
	for _, j := range m.Jobs {
		all[j.Name] = j.Spec.Template
	}
	return all
}

// Lasting are the templates of the pods that are to run for good.
func (m *Manifests) Lasting() map[string]corev1.PodTemplateSpec {
	all := map[string]corev1.PodTemplateSpec{}
	for _, d := range m.Deployments {
		all[d.Name] = d.Spec.Template
	}
	for _, s := range m.Sets {
		all[s.Name] = s.Spec.Template
	}
	return all
}
