import { shownProjectCode, useSession } from './session.ts'

/** The project chosen above; nothing where all are shown. */
export const useChosenProject = (): string | undefined => useSession(shownProjectCode)
