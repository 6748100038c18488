package stripe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"
)

const maxExpandDepth = 4

// expandable names the fields that hold an id which expand[] turns into the object.
func expandable(name string) bool {
	switch name {
	case "customer", "payment_intent", "payment_method", "latest_charge", "charge", "balance_transaction",
		"failure_balance_transaction", "source", "default_payment_method", "invoice", "application",
		"application_fee", "on_behalf_of", "review", "setup_intent", "mandate", "source_transfer", "dispute",
		"transfer_reversal", "source_transfer_reversal", "destination", "destination_payment", "transfer", "original_payout", "reversed_by":
		return true
	}
	return false
}

// lacksYet tells that an object of this type gets the field only later.
func lacksYet(object any, name string) bool {
	return object == "refund" && name == "failure_balance_transaction"
}

// render encodes a handler's result, hides what a publishable key may not see and applies expand[].
func (c *call) render(obj any) (json.RawMessage, error) {
	if c.clientKey {
		switch full := obj.(type) {
		case *paymentIntent:
			obj = full.client()
		case *setupIntent:
			obj = full.client()
		}
	}
	raw, err := json.Marshal(obj)
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	paths := c.p.texts("expand")
	if len(paths) == 0 {
		return withoutHidden(raw)
	}
	tree, err := decodeTree(raw)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		steps := strings.Split(path, ".")
		if len(steps) > maxExpandDepth+1 {
			return nil, invalidParam("expand", "", "You cannot expand more than 4 levels of a property.")
		}
		if err := c.expand(tree, steps, path, false); err != nil {
			return nil, err
		}
	}
	out, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return withoutHidden(out)
}

// hidden are fields of stored objects that answers and events do not have.
var hidden = []string{"_account", "_fails"} //nolint:gochecknoglobals // a constant that Go cannot have

// withoutHidden is an object's JSON without its hidden fields, at any depth.
func withoutHidden(raw json.RawMessage) (json.RawMessage, error) {
	if !slices.ContainsFunc(hidden, func(name string) bool { return bytes.Contains(raw, []byte(`"`+name+`":`)) }) {
		return raw, nil
	}
	tree, err := decodeTree(raw)
	if err != nil {
		return nil, err
	}
	hide(tree)
	out, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return out, nil
}

func hide(part any) {
	switch is := part.(type) {
	case map[string]any:
		for _, name := range hidden {
			delete(is, name)
		}
		for _, one := range is {
			hide(one)
		}
	case []any:
		for _, one := range is {
			hide(one)
		}
	}
}

// decodeTree is for expansion only, where objects of all kinds are walked by field name.
func decodeTree(raw []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var tree map[string]any
	if err := dec.Decode(&tree); err != nil {
		return nil, fmt.Errorf("decode object: %w", err)
	}
	return tree, nil
}

// expand follows steps from tree. Beneath something that may be an object of several types, as the source of a balance
// transaction, a field need not be in all of them.
func (c *call) expand(tree map[string]any, steps []string, path string, severalTypes bool) error {
	name := steps[0]
	if items, isList := tree[name].([]any); isList && name == "data" && len(steps) > 1 {
		for _, item := range items {
			if obj, isObject := item.(map[string]any); isObject {
				if err := c.expand(obj, steps[1:], path, severalTypes); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if _, present := tree[name]; !present && expandable(name) && (severalTypes || lacksYet(tree["object"], name)) {
		return nil
	}
	if err := c.expandOne(tree, name, path); err != nil {
		return err
	}
	if next, isObject := tree[name].(map[string]any); isObject && len(steps) > 1 {
		return c.expand(next, steps[1:], path, severalTypes || tree["object"] == "balance_transaction")
	}
	return nil
}

func (c *call) expandOne(tree map[string]any, name, path string) error {
	if nested, err := c.nestedList(tree, name); err != nil || nested {
		return err
	}
	held, present := tree[name]
	if _, already := held.(map[string]any); already {
		return nil
	}
	if !present || !expandable(name) || c.clientKey && name != "payment_method" {
		return invalidParam("expand", "", "This property cannot be expanded ("+path+").")
	}
	id, isID := held.(string)
	if !isID { // null stays null
		return nil
	}
	raw := rawByID(c.tx, id)
	if raw == nil {
		return nil
	}
	obj, err := decodeTree(raw)
	if err != nil {
		return err
	}
	if obj["object"] == "balance_transaction" {
		txn, err := partOf[balanceTransaction](raw)
		if err != nil {
			return err
		}
		obj["status"] = txn.statusAt(c.now) // not as it was when it was booked
	}
	if c.clientKey {
		obj["customer"], obj["metadata"] = nil, map[string]any{}
	}
	tree[name] = obj
	return nil
}

// nestedList fills lists that an object carries only when asked: a charge's refunds and a
// session's line items.
func (c *call) nestedList(tree map[string]any, name string) (bool, error) {
	id, _ := tree["id"].(string)
	var items any
	switch {
	case tree["object"] == "charge" && name == "refunds":
		found, more, err := refunds.page(c.tx, pageQuery{limit: 10, index: "charge=" + id}, nil)
		if err != nil {
			return false, err
		}
		l := list{Object: "list", Data: make([]any, 0, len(found)), HasMore: more, URL: "/v1/charges/" + id + "/refunds"}
		for _, r := range found {
			l.Data = append(l.Data, r)
		}
		items = l
	case tree["object"] == "checkout.session" && name == "line_items":
		session, err := sessions.get(c.tx, id, "session")
		if err != nil {
			return false, err
		}
		items = session.lineItemList()
	default:
		return false, nil
	}
	raw, err := json.Marshal(items)
	if err != nil {
		return false, fmt.Errorf("encode list: %w", err)
	}
	tree[name], err = decodeTree(raw)
	return true, err
}

// rawByID finds an object's public JSON by the prefix of its id; nil when there is none.
func rawByID(tx *bolt.Tx, id string) json.RawMessage {
	prefix, _, _ := strings.Cut(id, "_")
	key := []byte(id)
	switch prefix {
	case "cus":
		return customers.Raw(tx, key)
	case "pm":
		return methods.Raw(tx, key)
	case "pi":
		return intents.Raw(tx, key)
	case "seti":
		return setups.Raw(tx, key)
	case "mandate":
		return mandates.Raw(tx, key)
	case "ch":
		return charges.Raw(tx, key)
	case "re":
		return refunds.Raw(tx, key)
	case "dp":
		return disputes.Raw(tx, key)
	case "issfr":
		return warnings.Raw(tx, key)
	case "txn":
		return transactions.Raw(tx, key)
	case "po":
		return payouts.Raw(tx, key)
	case "tu":
		return topups.Raw(tx, key)
	case "tr":
		return transfers.Raw(tx, key)
	case "trr":
		return reversals.Raw(tx, key)
	}
	return nil
}
