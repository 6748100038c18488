package labels

import (
	"context"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/request"
	"talkoot.fi/content/internal/writing/changes"
)

// Handlers answers the calls of admins about categories and tags.
type Handlers struct {
	db  *gorm.DB
	now func() time.Time
}

// NewHandlers makes the handlers.
func NewHandlers(db *gorm.DB, now func() time.Time) *Handlers { return &Handlers{db: db, now: now} }

// edit is a change by the reader, who has to be an admin. Errors: NotAuthenticated; Forbidden.
func (h *Handlers) edit(ctx context.Context, id int64, ifMatch *string) (taxonomy.Edit, error) {
	who, err := session.Require(ctx)
	if err == nil && !who.Has(session.ScopeAdmin) {
		err = apperr.New(apperr.Forbidden)
	}
	return taxonomy.Edit{ID: id, Known: changes.Known(ifMatch), By: changes.User(who.UserID),
		Now: h.now().UTC().Truncate(time.Microsecond)}, err
}

// CategoriesAdmin is all categories in their order. Errors: those of edit.
func (h *Handlers) CategoriesAdmin(ctx context.Context, _ api.CategoriesAdminRequestObject) (
	api.CategoriesAdminResponseObject, error) {
	if _, err := h.edit(ctx, 0, nil); err != nil {
		return nil, err
	}
	list, err := h.categories(ctx)
	return api.CategoriesAdmin200JSONResponse(list), err
}

// CreateCategory adds a category at the end. Errors: those of edit and taxonomy.Kind.Add.
func (h *Handlers) CreateCategory(ctx context.Context, r api.CreateCategoryRequestObject) (
	api.CreateCategoryResponseObject, error) {
	found, err := h.add(ctx, taxonomy.OfCategories, *r.Body)
	if err != nil {
		return nil, err
	}
	return api.CreateCategory201JSONResponse{Headers: api.CreateCategory201ResponseHeaders{ETag: changes.ETag(found.Version)},
		Body: api.CategoryAdminAnswer{Category: categoryOf(found)}}, nil
}

// ChangeCategory renames a category. Errors: those of edit and Rename.
func (h *Handlers) ChangeCategory(ctx context.Context, r api.ChangeCategoryRequestObject) (
	api.ChangeCategoryResponseObject, error) {
	found, err := h.rename(ctx, taxonomy.OfCategories, r.CategoryID, r.Params.IfMatch, *r.Body)
	if err != nil {
		return nil, err
	}
	return api.ChangeCategory200JSONResponse{Headers: api.ChangeCategory200ResponseHeaders{ETag: changes.ETag(found.Version)},
		Body: api.CategoryAdminAnswer{Category: categoryOf(found)}}, nil
}

// DeleteCategory removes a category. Errors: those of edit and taxonomy.DeleteCategory.
func (h *Handlers) DeleteCategory(ctx context.Context, r api.DeleteCategoryRequestObject) (
	api.DeleteCategoryResponseObject, error) {
	e, err := h.edit(ctx, r.CategoryID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	err = dbx.InTx(ctx, h.db, func(tx *gorm.DB) error { return taxonomy.DeleteCategory(ctx, tx, e) })
	return api.DeleteCategory204Response{}, err
}

// OrderCategories puts the categories in another order. Errors: those of edit and taxonomy.Order.
func (h *Handlers) OrderCategories(ctx context.Context, r api.OrderCategoriesRequestObject) (
	api.OrderCategoriesResponseObject, error) {
	e, err := h.edit(ctx, 0, nil)
	if err != nil {
		return nil, err
	}
	err = dbx.InTx(ctx, h.db, func(tx *gorm.DB) error { return taxonomy.Order(ctx, tx, e, r.Body.Seen, r.Body.Categories) })
	if err != nil {
		return nil, err
	}
	list, err := h.categories(ctx)
	return api.OrderCategories200JSONResponse(list), err
}

// TagsAdmin is all tags. Errors: those of edit.
func (h *Handlers) TagsAdmin(ctx context.Context, _ api.TagsAdminRequestObject) (api.TagsAdminResponseObject, error) {
	if _, err := h.edit(ctx, 0, nil); err != nil {
		return nil, err
	}
	list, err := taxonomy.OfTags.List(ctx, h.db)
	if err != nil {
		return nil, err
	}
	answer := api.TagsAdmin200JSONResponse{Tags: make([]api.TagAdmin, len(list))}
	for i, one := range list {
		answer.Tags[i] = tagOf(one)
	}
	return answer, nil
}

// CreateTag adds a tag. Errors: those of edit and taxonomy.Kind.Add.
func (h *Handlers) CreateTag(ctx context.Context, r api.CreateTagRequestObject) (api.CreateTagResponseObject, error) {
	found, err := h.add(ctx, taxonomy.OfTags, *r.Body)
	if err != nil {
		return nil, err
	}
	return api.CreateTag201JSONResponse{Headers: api.CreateTag201ResponseHeaders{ETag: changes.ETag(found.Version)},
		Body: api.TagAdminAnswer{Tag: tagOf(found)}}, nil
}

// ChangeTag renames a tag. Errors: those of edit and Rename.
func (h *Handlers) ChangeTag(ctx context.Context, r api.ChangeTagRequestObject) (api.ChangeTagResponseObject, error) {
	found, err := h.rename(ctx, taxonomy.OfTags, r.TagID, r.Params.IfMatch, *r.Body)
	if err != nil {
		return nil, err
	}
	return api.ChangeTag200JSONResponse{Headers: api.ChangeTag200ResponseHeaders{ETag: changes.ETag(found.Version)},
		Body: api.TagAdminAnswer{Tag: tagOf(found)}}, nil
}

// RetireTag takes a tag away, or puts another in its place. Errors: those of edit and Retire.
func (h *Handlers) RetireTag(ctx context.Context, r api.RetireTagRequestObject) (api.RetireTagResponseObject, error) {
	e, err := h.edit(ctx, r.TagID, r.Params.IfMatch)
	if err == nil {
		err = Retire(ctx, h.db, e, request.Value(r.Params.Into))
	}
	return api.RetireTag204Response{}, err
}

func (h *Handlers) add(ctx context.Context, kind taxonomy.Kind, body api.LabelsChange) (taxonomy.Listed, error) {
	e, err := h.edit(ctx, 0, nil)
	if err != nil {
		return taxonomy.Listed{}, err
	}
	err = dbx.InTx(ctx, h.db, func(tx *gorm.DB) (err error) {
		e.ID, err = kind.Add(ctx, tx, e, labelsOf(body))
		return err
	})
	if err != nil {
		return taxonomy.Listed{}, err
	}
	return kind.Read(ctx, h.db, e.ID)
}

func (h *Handlers) rename(ctx context.Context, kind taxonomy.Kind, id int64, ifMatch *string, body api.LabelsChange) (
	taxonomy.Listed, error) {
	e, err := h.edit(ctx, id, ifMatch)
	if err == nil {
		err = Rename(ctx, h.db, kind, e, labelsOf(body))
	}
	if err != nil {
		return taxonomy.Listed{}, err
	}
	return kind.Read(ctx, h.db, id)
}

func (h *Handlers) categories(ctx context.Context) (answer api.CategoriesAdminAnswer, err error) {
	list, err := taxonomy.OfCategories.List(ctx, h.db)
	answer.Categories = make([]api.CategoryAdmin, len(list))
	for i, one := range list {
		answer.Categories[i] = categoryOf(one)
	}
	return answer, err
}

func labelsOf(body api.LabelsChange) taxonomy.Labels {
	labels := taxonomy.Labels{}
	for language, label := range map[string]*string{"fi": body.Labels.Fi, "en": body.Labels.En, "sv": body.Labels.Sv} {
		if label != nil {
			labels[language] = *label
		}
	}
	return labels
}

func categoryOf(one taxonomy.Listed) api.CategoryAdmin {
	return api.CategoryAdmin{CategoryID: one.ID, Labels: shown(one.Labels), Campaigns: one.Campaigns, Version: one.Version}
}

func tagOf(one taxonomy.Listed) api.TagAdmin {
	return api.TagAdmin{TagID: one.ID, Labels: shown(one.Labels), Campaigns: one.Campaigns, Experiments: one.Experiments,
		People: one.People, Version: one.Version}
}

func shown(labels taxonomy.Labels) api.Labels {
	of := func(language string) *string {
		if label, ok := labels[language]; ok {
			return &label
		}
		return nil
	}
	return api.Labels{Fi: of("fi"), En: of("en"), Sv: of("sv")}
}
