import { makeTemplate, openTestCluster } from './testing.ts'

/** Vitest's global set-up of the projects that need a database: one cluster and one template per run. */
export default async function setup(): Promise<() => Promise<void>> {
  const { cluster, close } = await openTestCluster()
  try {
    await makeTemplate(cluster)
  } catch (error) {
    await close()
    throw error
  }
  return close
}
