package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/conf"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/seed"
)

// console is the operator's terminal, or the pipes in its place.
type console struct {
	in                io.Reader
	out               io.Writer
	inIsTTY, outIsTTY bool
}

func newConsole() console {
	return console{in: os.Stdin, out: os.Stdout, inIsTTY: isatty.IsTerminal(os.Stdin.Fd()), outIsTTY: isatty.IsTerminal(os.Stdout.Fd())}
}

// people runs the subcommands about accounts: admin, block, unblock, reset-second-step.
func people(ctx context.Context, args, environ []string, log *slog.Logger, at console) (err error) {
	var r sessions.Registration
	var remove, fromStdin bool
	flags := flag.NewFlagSet("content "+args[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard) // run returns the usage as its error
	flags.StringVar(&r.Email, "email", "", "")
	if args[0] == "admin" {
		flags.BoolVar(&remove, "remove", false, "")
		flags.BoolVar(&fromStdin, "password-stdin", false, "")
		flags.StringVar(&r.FirstName, "first-name", "", "")
		flags.StringVar(&r.LastName, "last-name", "", "")
	}
	err = flags.Parse(args[1:])
	flags.Visit(func(given *flag.Flag) {
		if strings.TrimSpace(given.Value.String()) == "" { // a variable of the shell that is not set
			err = errors.Join(err, fmt.Errorf("--%s is empty", given.Name))
		}
	})
	if err != nil || r.Email == "" || flags.NArg() > 0 {
		return errors.Join(err, errors.New(usage))
	}
	var c OperatorConfig
	if err := conf.Load(&c, environ); err != nil {
		return err
	}
	db, err := c.open(ctx, "operator", log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dbx.Close(db)) }()
	if !c.Sandbox {
		if err := seed.Refuse(ctx, db); err != nil {
			return err
		}
	}
	var changed bool
	switch {
	case args[0] == "block", args[0] == "unblock":
		changed, err = sessions.SetBlocked(ctx, db, r.Email, args[0] == "block", clock())
	case args[0] == "reset-second-step":
		changed, err = sessions.RemoveSecondSteps(ctx, db, r.Email, clock())
	case remove:
		changed, err = sessions.RemoveAdmin(ctx, db, r.Email, clock())
	default:
		changed, err = sessions.MakeAdmin(ctx, db, r.Email, clock())
		if errors.Is(err, sessions.ErrNobody) {
			err = firstAdmin(ctx, db, r, fromStdin, at)
			noteOperator(ctx, db, log, args[0], r.Email, err == nil, err)
			return err
		}
	}
	noteOperator(ctx, db, log, args[0], r.Email, changed, err)
	if err == nil {
		err = at.say("%s", map[bool]string{true: "Done.", false: "It is so already; nothing has changed."}[changed])
	}
	return err
}

// noteOperator writes a security event: what was done at the command line to which accounts.
func noteOperator(ctx context.Context, db *gorm.DB, log *slog.Logger, command, email string, changed bool, failed error) {
	var accounts []int64
	err := db.WithContext(ctx).Raw(`SELECT id FROM users WHERE lower(email) = lower(?) ORDER BY id`, email).Scan(&accounts).Error
	if err != nil {
		log.WarnContext(ctx, "the accounts of an operator's command are not known", "error", err)
	}
	log.InfoContext(ctx, "security event", "event", "operator_command", "command", command, "accounts", accounts, "changed", changed,
		"failed", failed != nil)
}

// firstAdmin makes an account that is an admin's.
func firstAdmin(ctx context.Context, db *gorm.DB, r sessions.Registration, fromStdin bool, at console) error {
	var err error
	switch {
	case fromStdin && at.inIsTTY:
		return errors.New("a password that is typed here would stand on the screen: pipe it in, or leave out --password-stdin to have one made")
	case fromStdin:
		r.Password, err = readLine(at.in)
	case !at.outIsTTY:
		return errors.New("a password that is printed here would stay in a file or a log: run this in a terminal, or pipe one in with --password-stdin")
	default:
		r.Password = rand.Text()
	}
	if err != nil {
		return err
	}
	if r.FirstName == "" || r.LastName == "" {
		return errors.New("there is no such account yet: give --first-name and --last-name to make it")
	}
	r.Language = languages.All[0]
	if err := sessions.RegisterAdmin(ctx, db, r, clock()); err != nil {
		return explained(err)
	}
	if fromStdin {
		return at.say("Done: the account is made.")
	}
	return at.say("Done: the account is made. Its password, shown only now: %s", r.Password)
}

// explained adds the fields and rules of an input error, which a form would show.
func explained(err error) error {
	var fault *apperr.Error
	if !errors.As(err, &fault) {
		return err
	}
	for _, f := range fault.Fields {
		err = fmt.Errorf("%w; %s: %s", err, f.Path, f.Rule)
	}
	return err
}

func readLine(from io.Reader) (string, error) {
	line, err := bufio.NewReader(from).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func (c console) say(format string, args ...any) error {
	if _, err := fmt.Fprintf(c.out, format+"\n", args...); err != nil {
		return fmt.Errorf("write to the terminal: %w", err)
	}
	return nil
}
