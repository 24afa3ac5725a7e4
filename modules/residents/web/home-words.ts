import { labelOf } from '#kit/contract/field.ts'
import type { Home } from '../contract/resident.ts'
import { linkStatus, relation } from '../contract/words.ts'

/** `3-2-1502 业主、3-2-1503 租户（待审核）`; those lived in need no word. */
export const homeWords = (homes: readonly Home[] | undefined): string =>
  (homes ?? [])
    .map(
      h =>
        `${h.roomPath} ${labelOf(relation, h.relation)}${h.status === 'living' ? '' : `（${labelOf(linkStatus, h.status)}）`}`,
    )
    .join('、') || '--'
