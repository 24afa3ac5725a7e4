import { allLanes, type Booth } from './live-lanes.ts'
import type { BoothRow } from './shift-strip.tsx'

type Listed = Pick<BoothRow, 'parkId' | 'boothName' | 'isOwn' | 'shiftId'>

export const boothKeyOf = ({ parkId, boothName }: Booth): string => `${parkId}/${boothName}`

export interface BoothChoice {
  /** Chosen while the screen is open; the own shift's where it was opened. */
  readonly chosen: string | undefined
  /** Chosen on an earlier day. */
  readonly stored: string
}

/** A booth of the list, or all lanes of a car park in it. */
function findBooth(booths: readonly Listed[], key: string): Booth | undefined {
  const known = booths.find(booth => boothKeyOf(booth) === key)
  if (known) return { parkId: known.parkId, boothName: known.boothName }
  const ofPark = booths.find(({ parkId }) => boothKeyOf({ parkId, boothName: allLanes }) === key)
  return ofPark && { parkId: ofPark.parkId, boothName: allLanes }
}

/**
 * The booth to show, or why there is none: the booth of somebody else never takes the place of one that was
 * chosen. Without a choice the first one opens where nobody else is on duty.
 */
export function chooseBooth(
  booths: readonly Listed[],
  { chosen, stored }: BoothChoice,
): Booth | { readonly missing: string } {
  if (!booths.length) return { missing: '暂无启用的车道，请先在「停车设置」中添加' }
  const key = chosen ?? stored
  const found = findBooth(booths, key)
  if (found) return found
  if (chosen !== undefined) return { missing: '所选岗亭已改名、停用或不在当前项目中，请在上方重新选择岗亭' }
  const free = stored === '' ? booths.find(booth => booth.shiftId === undefined) : undefined
  if (free) return { parkId: free.parkId, boothName: free.boothName }
  return {
    missing:
      stored === ''
        ? '各岗亭均有人当班，请在上方选择岗亭'
        : '上次所选的岗亭已改名、停用或不在当前项目中，请在上方选择岗亭',
  }
}
