/** What the server reports while somebody may be trapped. */
export const liveAlarms = { topic: 'elevatorAlarms', kind: 'elevatorAlarm', pauseMs: 0 }
