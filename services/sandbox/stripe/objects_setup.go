package stripe

type setupOptions struct {
	Card *setupCardOptions `json:"card,omitempty"`
}

type setupCardOptions struct {
	MandateOptions      *string `json:"mandate_options"`
	Network             *string `json:"network"`
	RequestThreeDSecure string  `json:"request_three_d_secure"`
}

type setupIntent struct {
	ID                                string            `json:"id"`
	Object                            string            `json:"object"`
	Application                       *string           `json:"application"`
	AutomaticPaymentMethods           *automaticMethods `json:"automatic_payment_methods"`
	CancellationReason                *string           `json:"cancellation_reason"`
	ClientSecret                      string            `json:"client_secret"`
	Created                           int64             `json:"created"`
	Customer                          *string           `json:"customer"`
	Description                       *string           `json:"description"`
	FlowDirections                    []string          `json:"flow_directions"`
	LastSetupError                    *errorObject      `json:"last_setup_error"`
	LatestAttempt                     *string           `json:"latest_attempt"`
	Livemode                          bool              `json:"livemode"`
	Mandate                           *string           `json:"mandate"`
	Metadata                          map[string]string `json:"metadata"`
	NextAction                        *nextAction       `json:"next_action"`
	OnBehalfOf                        *string           `json:"on_behalf_of"`
	PaymentMethod                     *string           `json:"payment_method"`
	PaymentMethodConfigurationDetails *string           `json:"payment_method_configuration_details"`
	PaymentMethodOptions              setupOptions      `json:"payment_method_options"`
	PaymentMethodTypes                []string          `json:"payment_method_types"`
	SingleUseMandate                  *string           `json:"single_use_mandate"`
	Status                            intentStatus      `json:"status"`
	Usage                             string            `json:"usage"`
}

// clientSetup is the reduced object a publishable key sees.
type clientSetup struct {
	ID                      string            `json:"id"`
	Object                  string            `json:"object"`
	AutomaticPaymentMethods *automaticMethods `json:"automatic_payment_methods"`
	CancellationReason      *string           `json:"cancellation_reason"`
	ClientSecret            string            `json:"client_secret"`
	Created                 int64             `json:"created"`
	Description             *string           `json:"description"`
	LastSetupError          *errorObject      `json:"last_setup_error"`
	Livemode                bool              `json:"livemode"`
	NextAction              *nextAction       `json:"next_action"`
	PaymentMethod           *string           `json:"payment_method"`
	PaymentMethodTypes      []string          `json:"payment_method_types"`
	Status                  intentStatus      `json:"status"`
	Usage                   string            `json:"usage"`
}

func (si *setupIntent) client() *clientSetup {
	return &clientSetup{
		ID: si.ID, Object: si.Object, AutomaticPaymentMethods: si.AutomaticPaymentMethods,
		CancellationReason: si.CancellationReason, ClientSecret: si.ClientSecret, Created: si.Created,
		Description: si.Description, LastSetupError: clientError(si.LastSetupError), Livemode: si.Livemode,
		NextAction: si.NextAction, PaymentMethod: si.PaymentMethod, PaymentMethodTypes: si.PaymentMethodTypes,
		Status: si.Status, Usage: si.Usage,
	}
}

type onlineAcceptance struct {
	IPAddress *string `json:"ip_address"`
	UserAgent *string `json:"user_agent"`
}

type customerAcceptance struct {
	AcceptedAt *int64            `json:"accepted_at"`
	Offline    *struct{}         `json:"offline,omitempty"`
	Online     *onlineAcceptance `json:"online,omitempty"`
	Type       string            `json:"type"`
}

type mandateDetails struct {
	Card struct{} `json:"card"`
	Type string   `json:"type"`
}

// mandate is a holder's agreement to later charges.
type mandate struct {
	ID                   string             `json:"id"`
	Object               string             `json:"object"`
	CustomerAcceptance   customerAcceptance `json:"customer_acceptance"`
	Livemode             bool               `json:"livemode"`
	MultiUse             struct{}           `json:"multi_use"`
	OnBehalfOf           *string            `json:"on_behalf_of,omitempty"`
	PaymentMethod        string             `json:"payment_method"`
	PaymentMethodDetails mandateDetails     `json:"payment_method_details"`
	Status               string             `json:"status"` // active, inactive
	Type                 string             `json:"type"`
	Created              int64              `json:"-"`
}
