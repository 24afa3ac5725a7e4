import type { RemoteTask } from '../contract/remote-task.ts'

type Target = Pick<RemoteTask, 'gatewayId' | 'deviceId'>

const maxShown = 10

/** Of tasks in descending order, the last one to each target. */
export function latestPushes<T extends Target>(tasks: readonly T[]): readonly T[] {
  const byTarget = new Map<string, T>()
  for (const task of tasks) {
    const target = `${task.gatewayId} ${task.deviceId}`
    if (!byTarget.has(target)) {
      byTarget.set(target, task)
    }
  }
  return [...byTarget.values()].slice(0, maxShown)
}
