package mangopay

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
)

// toldOf are the types of events that we are to be told of: those that ReadHook knows a use for.
func toldOf() (types []string) {
	for _, family := range []string{"PAYIN_NORMAL_", "PAYIN_REFUND_", "PAYOUT_NORMAL_", "PAYOUT_REFUND_"} {
		types = append(types, family+succeeded, family+failed)
	}
	types = append(types, "TRANSFER_NORMAL_"+succeeded, "TRANSFER_REFUND_"+succeeded) // what somebody has taken back of a creator's wallet
	for _, what := range []string{"CREATED", "SUBMITTED", "ACTIVATED", "FAILED", "EXPIRED"} {
		types = append(types, "MANDATE_"+what)
	}
	for _, what := range []string{"CREATED", "SUBMITTED", "ACTION_REQUIRED", "FURTHER_ACTION_REQUIRED", "SENT_TO_BANK", "CLOSED"} {
		types = append(types, "DISPUTE_"+what)
	}
	for family, all := range map[string][]string{
		"USER_KYC_":              {"REGULAR", "LIGHT", "RENEWAL_REQUIRED"},
		"USER_ACCOUNT_":          {"VALIDATION_ASKED", "ACTIVATED", "CLOSED"},
		"USER_INFLOWS_":          {"BLOCKED", "UNBLOCKED"},
		"USER_OUTFLOWS_":         {"BLOCKED", "UNBLOCKED"},
		"IDENTITY_VERIFICATION_": {"PENDING", "VALIDATED", "FAILED", "INCONCLUSIVE", "OUTDATED", "EXPIRED"},
		"RECIPIENT_":             {"ACTIVE", "CANCELED", "DEACTIVATED"},
		"SCA_ENROLLMENT_":        {"SUCCEEDED", "FAILED", "EXPIRED"},
		"SCA_":                   {"RECIPIENT_REGISTRATION_CONSENT_REVOKED", "TRANSFER_CONSENT_REVOKED", "VIEW_ACCOUNT_INFORMATION_CONSENT_REVOKED"},
	} {
		for _, what := range all {
			types = append(types, family+what)
		}
	}
	slices.Sort(types)
	return types
}

// KeepHooks has Mangopay tell us of events at Config.HookURL: there is one hook a type, which Mangopay disables after a hundred deliveries in
// a row that nobody took. A repeat changes nothing. Without an address it does nothing. One that fails keeps no other from being made.
// docs.mangopay.com/api-reference/hooks
func (c *Client) KeepHooks(ctx context.Context) error {
	if c.config.HookURL == "" {
		return nil
	}
	type hook struct{ Id, EventType, Url, Status, Validity string } //nolint:revive // the wire's
	there := map[string]hook{}
	err := each(ctx, c, "list hooks", "/hooks", url.Values{}, func(h hook) error {
		there[h.EventType] = h
		return nil
	})
	if err != nil {
		return err
	}
	var faults []error
	for _, kind := range toldOf() {
		h, is := there[kind]
		switch {
		case !is:
			// Another one of the type is refused, so that the key need not be the same for a repeat; and one that was deleted is made anew.
			key := fmt.Sprintf("hook:%s:%d", kind, c.config.Now().UnixNano())
			_, err = c.post(ctx, "make hook "+kind, "/hooks", key, map[string]any{"EventType": kind, "Url": c.config.HookURL}, nil)
		case h.Url != c.config.HookURL || h.Status != "ENABLED" || h.Validity == "INVALID":
			err = c.put(ctx, "mend hook "+kind, "/hooks/"+h.Id, map[string]any{"Url": c.config.HookURL, "Status": "ENABLED"}, nil)
		default:
			continue
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}
