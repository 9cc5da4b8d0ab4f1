/* SPDX-License-Identifier: MIT
 * The limit: a program that has nothing to do but to hand the same bytes to libnats at the same rate: states, and behind each
 * LOGGED of them a message of the log.
 * usage: publisher URL SUBJECT BYTES MESSAGES-A-SECOND SECONDS LOGGED LOG-BYTES; prints microseconds of processor a state */
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double cpu(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_utime.tv_sec + use.ru_stime.tv_sec + (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

int main(int count, char **words) {
  if (count != 8) return 2;
  natsConnection *connection = NULL;
  if (natsConnection_ConnectTo(&connection, words[1]) != NATS_OK) return 1;
  int size = atoi(words[3]), rate = atoi(words[4]), seconds = atoi(words[5]);
  double logged = atof(words[6]), logs = 0;
  int logSize = atoi(words[7]), most = size > logSize ? size : logSize;
  char *bytes = malloc((size_t)most), subject[256];
  memset(bytes, 'x', (size_t)most);
  if (logged < 1 || snprintf(subject, sizeof subject, "%s.log", words[2]) >= (int)sizeof subject) return 2;
  double begun = cpu();
  long sent = 0;
  struct timespec pause = {0, 1000000};
  for (int tick = 0; tick < seconds * 1000; tick++) {
    for (; sent * 1000 < (long)(tick + 1) * rate; sent++) {
      natsMsg *message = NULL;
      if (natsMsg_Create(&message, words[2], NULL, bytes, size) != NATS_OK) return 1;
      natsMsgHeader_Set(message, "Headerd-Epoch", "1763690400000001");
      natsMsgHeader_Set(message, "Headerd-Seq", "123456");
      natsMsgHeader_Set(message, "Headerd-Encoding", "lines");
      natsMsgHeader_Set(message, "Headerd-Owner", "a");
      if (natsConnection_PublishMsg(connection, message) != NATS_OK) return 1;
      natsMsg_Destroy(message);
      if ((double)sent < logs * logged) continue;
      logs++;
      if (natsMsg_Create(&message, subject, "_INBOX.bare.1", bytes, logSize) != NATS_OK) return 1;
      natsMsgHeader_Set(message, "Nats-Expected-Last-Subject-Sequence", "123456");
      if (natsConnection_PublishMsg(connection, message) != NATS_OK) return 1;
      natsMsg_Destroy(message);
    }
    nanosleep(&pause, NULL);
  }
  natsConnection_Flush(connection);
  printf("%.2f\n", (cpu() - begun) / (double)sent * 1e6);
  natsConnection_Destroy(connection);
  return 0;
}
