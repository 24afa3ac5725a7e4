import type { Id } from '#kit/domain/id.ts'

/** Fetches one phone number or document in full; that it is shown is logged (PERM-7). */
export type PersonalDataLoader = (entity: string, id: Id, key: string) => Promise<string>
let personalDataLoader: PersonalDataLoader | undefined

/** Sets who fetches it; called once at start. Without one nothing can be revealed. */
export const setPersonalDataLoader = (loader: PersonalDataLoader): void => {
  personalDataLoader = loader
}

export const getPersonalDataLoader = (): PersonalDataLoader | undefined => personalDataLoader
