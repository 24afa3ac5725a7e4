import type { SourceType } from './objects-control.tsx'

/** What standards can be bound to by hand. */
export const bindableTypes: readonly SourceType[] = ['room', 'parkPlace', 'car', 'publicArea', 'company']
