package experiments

import (
	"net/http"

	"talkoot.fi/content/internal/api"
)

// adminAnswer answers every call that changes an experiment with how it is then, as the call that reads it for editing.
type adminAnswer struct {
	api.ExperimentAdmin200JSONResponse
}

// VisitChangeExperimentSettingsResponse writes the answer.
func (a adminAnswer) VisitChangeExperimentSettingsResponse(w http.ResponseWriter) error {
	return a.VisitExperimentAdminResponse(w)
}

// VisitChangeExperimentLanguageResponse writes the answer.
func (a adminAnswer) VisitChangeExperimentLanguageResponse(w http.ResponseWriter) error {
	return a.VisitExperimentAdminResponse(w)
}

// VisitChangeExperimentCustomLanguageResponse writes the answer.
func (a adminAnswer) VisitChangeExperimentCustomLanguageResponse(w http.ResponseWriter) error {
	return a.VisitExperimentAdminResponse(w)
}

// VisitChangeExperimentImageResponse writes the answer.
func (a adminAnswer) VisitChangeExperimentImageResponse(w http.ResponseWriter) error {
	return a.VisitExperimentAdminResponse(w)
}

// VisitChangeExperimentFundingResponse writes the answer.
func (a adminAnswer) VisitChangeExperimentFundingResponse(w http.ResponseWriter) error {
	return a.VisitExperimentAdminResponse(w)
}

// VisitSetExperimentTagsResponse writes the answer.
func (a adminAnswer) VisitSetExperimentTagsResponse(w http.ResponseWriter) error {
	return a.VisitExperimentAdminResponse(w)
}

// VisitSetExperimentLinksResponse writes the answer.
func (a adminAnswer) VisitSetExperimentLinksResponse(w http.ResponseWriter) error {
	return a.VisitExperimentAdminResponse(w)
}

// VisitMoveExperimentResponse writes the answer.
func (a adminAnswer) VisitMoveExperimentResponse(w http.ResponseWriter) error {
	return a.VisitExperimentAdminResponse(w)
}
