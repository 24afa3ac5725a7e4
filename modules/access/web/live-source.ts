/** What came through the doors; at a busy gate no more than one request in so long. */
export const livePassages = { topic: 'passages', kind: 'passages', pauseMs: 2000 }
export const liveAlarms = { topic: 'passages', kind: 'doorwayAlarms', pauseMs: 1000 }
