import { nextProjectCode } from '../domain/project-code.ts'

/** The code that a new project is offered; it can be changed until it is saved. */
export const proposedProjectCode = (existing: readonly { readonly projectCode: string }[]): string =>
  nextProjectCode(
    'XM',
    existing.map(e => e.projectCode),
  )
