package review

import (
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/zone"
)

// answerDays is within how many Finnish working days staff answer.
const answerDays = 2

// AnswerBy is the day by which staff answer a review that was asked for at a moment.
func AnswerBy(asked time.Time, at *time.Location) campaigns.Day {
	day := asked.In(at)
	for left := answerDays; left > 0; {
		day = day.AddDate(0, 0, 1)
		if zone.IsWorkingDay(day) {
			left--
		}
	}
	return campaigns.DayOf(day)
}
