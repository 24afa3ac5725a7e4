import { labelOf } from '#kit/contract/field.ts'
import type { Home } from '../contract/resident.ts'
import { isMovedIn, residencyStatusText } from '../contract/labels.ts'
import { relation } from '../contract/relation.ts'

/** `3-2-1502 业主、3-2-1503 租户（待审核）`; those lived in need no word. */
export const formatHomes = (homes: readonly Home[] | undefined): string =>
  (homes ?? [])
    .map(
      home =>
        `${home.roomPath} ${labelOf(relation, home.relation)}${isMovedIn(home) ? '' : `（${residencyStatusText(home)}）`}`,
    )
    .join('、') || '--'
