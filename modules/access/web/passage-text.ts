import { labelOf } from '#kit/contract/field.ts'
import { openMethod, personKind } from '../contract/choices.ts'
import type { Passage } from '../contract/passage.ts'

/** By name; by what is known where nobody is: `陌生人`, the number of a plate, `按钮`. */
export const personText = ({ personName, plateNo, personKind: kind, openMethod: method }: Passage): string =>
  personName ?? plateNo ?? (kind === undefined ? labelOf(openMethod, method) : labelOf(personKind, kind))
