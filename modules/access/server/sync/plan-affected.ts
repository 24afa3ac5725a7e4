import type { Id } from '#kit/domain/id.ts'
import type { AffectedProject } from './affected.ts'

/** From so many credentials on a project is computed as a whole. */
const maxKeys = 5000

/** A statement has to end in time: an estate of fifty thousand credentials is computed so many at once. */
const devicesAtOnce = 2

interface PlannedDevices {
  /** All of a module in the project. */
  readonly bound: readonly Id[]
  /** Those of which everything has to be computed. */
  readonly changed: readonly Id[]
  readonly planDevices: (some: readonly Id[]) => Promise<number>
  /** Of the credentials that have changed, at all devices. */
  readonly planKeys: () => Promise<number>
}

/** A few devices after the other, always in the same order. */
async function planInParts(
  deviceIds: readonly Id[],
  planDevices: PlannedDevices['planDevices'],
): Promise<number> {
  const ordered = [...new Set(deviceIds)].toSorted((a, b) => a - b)
  let changed = 0
  for (let first = 0; first < ordered.length; first += devicesAtOnce) {
    changed += await planDevices(ordered.slice(first, first + devicesAtOnce))
  }
  return changed
}

/** What one module's devices have to hold, where something has changed. Returns how many items changed. */
export async function planAffected(
  { isWhole, keys }: AffectedProject,
  { bound, changed, planDevices, planKeys }: PlannedDevices,
): Promise<number> {
  if (isWhole || keys.length > maxKeys) return planInParts([...bound, ...changed], planDevices)
  const ofDevices = await planInParts(changed, planDevices)
  return keys.length && bound.length ? ofDevices + (await planKeys()) : ofDevices
}
