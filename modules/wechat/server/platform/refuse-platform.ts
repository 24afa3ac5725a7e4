import { refuse } from '#kit/contract/wire.ts'
import { PlatformAway, PlatformFault } from './platform-fault.ts'

/** What the platform refuses, or that it is away, as a refusal for the person who asked. */
export async function refusePlatform<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof PlatformFault || error instanceof PlatformAway) return refuse(error.message)
    throw error
  }
}
