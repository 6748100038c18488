package claims

import (
	"context"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/mail/mails"
)

// tellAll has everybody told of a step that does not see it themselves.
func tellAll(ctx context.Context, tx *gorm.DB, c row, messageID int64, from State, act Act, by Role) error {
	var backer, team, staff bool
	switch act {
	case Make:
		backer, team = true, true // the backer's is the acknowledgement
	case Message:
		backer, team, staff = by != Backer, by != Creator, by == Backer && c.State == WithStaff
	case OfferResend, OfferPart, Refund:
		backer = true
	case Decline, Contest:
		backer, staff = true, true
	case Accept, Received, Withdraw:
		team = true
	case Refuse, Object:
		team, staff = true, true
	case Decide:
		backer, team = true, true
	case Silence:
		backer, team, staff = true, true, from == Open
	case Overtaken: // what went back is told by itself
	}
	return mails.AddClaim(ctx, tx, messageID, c.PledgeID, c.CampaignID, backer, team, staff)
}
