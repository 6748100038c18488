package richtext

import (
	"errors"
	"fmt"

	"talkoot.fi/kit/money"
)

// Block is one part of a story as people write it in a YAML file; exactly one of Intro, H2, P, Quote, Image, Budget,
// Figures and List is given.
type Block struct {
	Intro   string       `yaml:"intro"`
	H2      string       `yaml:"h2"`
	P       string       `yaml:"p"`
	Quote   string       `yaml:"quote"`
	By      string       `yaml:"by"` // who said the quote
	Image   string       `yaml:"image"`
	Caption string       `yaml:"caption"` // of the image
	Alt     string       `yaml:"alt"`     // of the image, when the caption does not say what is on it
	Budget  []BudgetLine `yaml:"budget"`
	Figures []FigureRow  `yaml:"figures"`
	List    []string     `yaml:"list"`
}

// BudgetLine is a row of a budget block.
type BudgetLine struct {
	Label  string `yaml:"label"`
	Amount string `yaml:"amount"` // major units, a number in the file
}

// FromBlocks makes a document of blocks. Errors: a block without one of the fields above, or with a malformed amount;
// with the block's index from 0.
func FromBlocks(blocks []Block) (Doc, error) {
	doc := Doc{Content: make([]Node, 0, len(blocks))}
	for i, b := range blocks {
		node, err := b.node()
		if err != nil {
			return Doc{}, fmt.Errorf("block %d: %w", i, err)
		}
		doc.Content = append(doc.Content, node)
	}
	return doc, nil
}

func (b Block) node() (Node, error) {
	switch {
	case b.Intro != "":
		return Node{Type: Paragraph, Attrs: &Attrs{Intro: true}, Content: text(b.Intro)}, nil
	case b.H2 != "":
		return Node{Type: Heading, Attrs: &Attrs{Level: 2}, Content: text(b.H2)}, nil
	case b.P != "":
		return Node{Type: Paragraph, Content: text(b.P)}, nil
	case b.Quote != "":
		return Node{Type: Quote, Attrs: &Attrs{By: b.By}, Content: text(b.Quote)}, nil
	case b.Image != "":
		return Node{Type: Figure, Attrs: &Attrs{Src: b.Image, Alt: b.Alt, Caption: b.Caption}}, nil
	case len(b.Budget) > 0:
		rows := make([]BudgetRow, len(b.Budget))
		for i, line := range b.Budget {
			amount, err := money.ParseMajor(line.Amount, money.EUR)
			if err != nil {
				return Node{}, fmt.Errorf("budget row %d: %w", i, err)
			}
			rows[i] = BudgetRow{Label: line.Label, AmountMinor: amount.Minor}
		}
		return Node{Type: Budget, Attrs: &Attrs{Rows: rows}}, nil
	case len(b.Figures) > 0:
		return Node{Type: Figures, Attrs: &Attrs{Figures: b.Figures}}, nil
	case len(b.List) > 0:
		items := make([]Node, len(b.List))
		for i, item := range b.List {
			items[i] = Node{Type: ListItem, Content: []Node{{Type: Paragraph, Content: text(item)}}}
		}
		return Node{Type: BulletList, Content: items}, nil
	}
	return Node{}, errors.New("it is empty")
}

func text(s string) []Node { return []Node{{Type: TextNode, Text: s}} }
