// SPDX-License-Identifier: MIT

// Leads a room while it may: go run leader.go URL ROOM CANDIDATE RESOURCE
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

type object = map[string]any
type answer struct {
	Status      string
	LeaderToken string `json:"leader_token"`
	Leader      struct{ Term int64 }
}

var url, room, candidate, resource = os.Args[1], os.Args[2], os.Args[3], os.Args[4]

func end(why ...any) {
	fmt.Fprintln(os.Stderr, why...)
	os.Exit(1)
}

// post gives the status and the answer; 0 when there is none.
func post(action string, body object, patience time.Duration) (status int, found answer) {
	text, _ := json.Marshal(body)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	path := url + "/elections/" + room + "/" + action
	request, _ := http.NewRequestWithContext(ctx, "POST", path, bytes.NewReader(text))
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, found
	}
	defer response.Body.Close()
	if json.NewDecoder(response.Body).Decode(&found) != nil {
		return 0, found
	}
	return response.StatusCode, found
}

func final(status int) bool { return status >= 400 && status < 500 && status != 429 }

func campaign(ttl int) answer {
	key := make([]byte, 32) // with it a lost answer can be asked for again
	rand.Read(key)
	body := object{"candidate_id": candidate, "candidate_key": hex.EncodeToString(key),
		"ttl_seconds": ttl, "wait_seconds": 20}
	for {
		status, found := post("campaign", body, 30*time.Second)
		if found.Status == "leader" {
			return found
		} else if final(status) {
			end("campaign:", status)
		} else if status != 200 {
			time.Sleep(time.Second)
		}
	}
}

// work is one short step. The resource remembers the highest term and refuses lower ones; a
// database does that in one statement: UPDATE ... SET term = :term WHERE term <= :term.
func work(term int64) {
	var seen int64
	if text, err := os.ReadFile(resource); err == nil {
		fmt.Sscan(string(text), &seen)
	}
	if seen > term {
		end("refused: term", seen, "has begun")
	}
	// Aside, then renamed: who is stopped in between leaves a whole file.
	aside := resource + "." + candidate
	os.WriteFile(aside, []byte(fmt.Sprintln(term, candidate)), 0o644)
	os.Rename(aside, resource)
}

func main() {
	ttl, err := strconv.Atoi(os.Getenv("TTL"))
	if err != nil {
		ttl = 15
	}
	won := campaign(ttl)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	fmt.Println("leader", won.Leader.Term)
	// When the campaign waited, the time of sending it says nothing: renew first.
	tenth := time.Duration(ttl) * time.Second / 10
	deadline, renewAt, sure := time.Now().Add(8*tenth), time.Now(), false
	for time.Now().Before(deadline) {
		if sent := time.Now(); !sent.Before(renewAt) {
			body := object{"leader_token": won.LeaderToken, "ttl_seconds": ttl}
			status, _ := post("renew", body, time.Until(deadline))
			if status == 200 {
				deadline, renewAt, sure = sent.Add(8*tenth), sent.Add(4*tenth), true
			} else if final(status) {
				end("lost")
			}
		}
		if sure && time.Now().Before(deadline) {
			work(won.Leader.Term)
		}
		select {
		case <-stop:
			status, _ := post("resign", object{"leader_token": won.LeaderToken}, 5*time.Second)
			if status != 200 {
				end("not resigned")
			}
			return
		case <-time.After(200 * time.Millisecond):
		}
	}
	end("lost")
}
