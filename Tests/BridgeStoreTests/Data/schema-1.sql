-- A store of schema version 1, with a row in each table. Never changed: it stands for those that are out there.
CREATE TABLE state (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value INTEGER NOT NULL);
INSERT INTO state (name, value) VALUES ('schema', 0), ('running', 0), ('number', 0), ('sequence', 0), ('ticks', 0);

CREATE TABLE pending (
  id INTEGER PRIMARY KEY, application TEXT NOT NULL, identifier TEXT NOT NULL, added REAL NOT NULL, fired REAL,
  due REAL NOT NULL, position INTEGER NOT NULL, follows_zone INTEGER NOT NULL, UNIQUE (application, identifier));
CREATE TABLE pending_request (id INTEGER PRIMARY KEY, request TEXT NOT NULL, sender TEXT NOT NULL);

CREATE TABLE queued (
  id INTEGER PRIMARY KEY, request TEXT NOT NULL, sender TEXT NOT NULL, shown REAL, in_flight INTEGER NOT NULL);

CREATE TABLE delivered (
  id INTEGER PRIMARY KEY, application TEXT NOT NULL, identifier TEXT NOT NULL, date REAL NOT NULL,
  request TEXT NOT NULL, sender TEXT NOT NULL, server_id INTEGER, run TEXT, is_open INTEGER NOT NULL,
  keys TEXT NOT NULL, reports_dismissal INTEGER NOT NULL, number INTEGER NOT NULL,
  UNIQUE (application, identifier));

CREATE TABLE response (
  id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, date REAL NOT NULL, response TEXT NOT NULL, handler TEXT);

CREATE TABLE categories (id INTEGER PRIMARY KEY, application TEXT NOT NULL UNIQUE, categories TEXT NOT NULL);
CREATE TABLE authorization (id INTEGER PRIMARY KEY, application TEXT NOT NULL UNIQUE, record TEXT NOT NULL);
CREATE TABLE badge (id INTEGER PRIMARY KEY, application TEXT NOT NULL UNIQUE, count INTEGER NOT NULL);
CREATE TABLE fetching (id INTEGER PRIMARY KEY, application TEXT NOT NULL UNIQUE);

CREATE TABLE history (
  id INTEGER PRIMARY KEY, date REAL NOT NULL, application TEXT NOT NULL, identifier TEXT NOT NULL,
  event TEXT NOT NULL, detail TEXT);
CREATE INDEX history_by_application ON history (application, id);

CREATE TABLE damaged_rows (
  id INTEGER PRIMARY KEY, found REAL NOT NULL, origin TEXT NOT NULL, reason TEXT NOT NULL, content TEXT);
UPDATE state SET value = 1 WHERE name = 'schema';
UPDATE state SET value = 7 WHERE name = 'number';
UPDATE state SET value = 20 WHERE name = 'sequence';
PRAGMA user_version = 1;
INSERT INTO pending VALUES (1, 'org.example.App', 'tea', 800000000.5, NULL, 800000600.5, 3, 0);
INSERT INTO pending_request VALUES (1,
  '{"identifier":"tea","content":{"title":"Tea \"green\"","userInfo":{"when":{"$date":0.25},"n":1.0}},"trigger":{"interval":600.0}}',
  '{"identifier":"org.example.App","name":"App","known":true}');
INSERT INTO queued VALUES (8, '{"identifier":"q","content":{}}', '{"identifier":"org.example.App","name":"App"}', NULL, 1);
INSERT INTO delivered VALUES (1, 'org.example.App', 'd', 799999000.0, '{"identifier":"d","content":{"title":"D"}}',
  '{"identifier":"org.example.App","name":"App"}', 12, 'guid :1.5', 1, '{"default":"default","ok":"button:ok"}', 0, 9);
INSERT INTO response VALUES (1, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 799999500.0,
  '{"id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","action":{"kind":"custom","identifier":"reply"},"text":"hello","notification":{"application":{"identifier":"org.example.App","name":"App"},"request":{"identifier":"d","content":{}},"date":1778306700.0}}',
  'reply.handler');
INSERT INTO categories VALUES (1, 'org.example.App', '[{"identifier":"mail","actions":[{"identifier":"ok","title":"OK"}]}]');
INSERT INTO authorization VALUES (1, 'org.example.App', '{"status":"authorized","options":7}');
INSERT INTO badge VALUES (1, 'org.example.App', 4);
INSERT INTO fetching VALUES (1, 'org.example.App');
INSERT INTO history VALUES (20, 799999999.0, 'org.example.App', 'old', 'delivered', NULL);
INSERT INTO history VALUES (21, 800000000.0, 'org.example.App', 'old', 'responded', '{"action":"ok"}');
