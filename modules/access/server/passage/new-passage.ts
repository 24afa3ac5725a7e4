import type { Id } from '#kit/domain/id.ts'
import type { OpenMethod, PersonKind } from '../../contract/choices.ts'

/** A passing that is about to be stored. */
export interface NewPassage {
  readonly projectCode: string
  readonly doorwayId: Id
  readonly deviceId: Id
  readonly recordKey: string
  readonly atMs: number
  readonly isTimeDoubtful: boolean
  readonly openMethod: OpenMethod
  readonly openStatus: 'opened' | 'refused'
  readonly direction: 'entrance' | 'exit' | 'both'
  readonly itemKey?: string | undefined
  readonly cardNo?: string | undefined
  readonly plateNo?: string | undefined
  readonly reason?: string | undefined
  readonly temperature?: string | undefined
  /** Base64. */
  readonly picture?: string | undefined
  readonly personKind?: PersonKind | undefined
  readonly userId?: Id | undefined
  readonly staffId?: Id | undefined
  readonly personName?: string | undefined
  readonly roomId?: Id | undefined
}

/** A device's own number, unique among all devices. */
export const keyOfRecord = ({
  deviceId,
  recordKey,
}: {
  readonly deviceId: Id
  readonly recordKey: string
}): string => `${deviceId}/${recordKey}`

type Identified = Pick<NewPassage, 'doorwayId' | 'itemKey' | 'openMethod' | 'openStatus' | 'direction'>

/** From a screen or a telephone: the device's own record does not know which. */
export const isRemote = ({ openMethod }: Pick<NewPassage, 'openMethod'>): boolean =>
  openMethod === 'remote' || openMethod === 'mobile'

/** Two of the same identity may be one passing; what names nobody is never taken for another's (ACS-5). */
export function identityOf(passage: Identified): string | undefined {
  const { doorwayId, itemKey, openStatus, direction } = passage
  if (isRemote(passage)) return `${doorwayId}/remote/${openStatus}`
  return itemKey === undefined ? undefined : `${doorwayId}/${itemKey}/${openStatus}/${direction}`
}
