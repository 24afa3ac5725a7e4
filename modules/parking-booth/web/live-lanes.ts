import { useState, useSyncExternalStore } from 'react'
import { isLiveConnected, onLiveStateChange } from '#kit/web/live.ts'
import { useCall } from '#kit/web/query.ts'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { listLaneViews } from '../contract/lane-view.ts'

export type LaneView = NonNullable<typeof listLaneViews.output.T>[number]
export type LaneEvent = LaneView['events'][number]

/** A booth: `*` as the name of it means all lanes of the car park. */
export interface Booth {
  readonly parkId: LaneView['laneId']
  readonly boothName: string
}

export const allLanes = '*'

const liveLanes = { topic: 'parkLanes', kind: 'parkLanes', pauseMs: 200 }
const offlineMs = 5000
/** A barrier that answers nothing has not opened: its command ends by itself. */
const commandMs = 2000

const isUnderWay = ({ commandState }: LaneView): boolean =>
  commandState === 'waiting' || commandState === 'sent'

export const useLiveConnected = (): boolean => useSyncExternalStore(onLiveStateChange, isLiveConnected)

/** The lanes of a booth, as they change; asked every few seconds while the live connection is down. */
export function useLanes({ parkId, boothName }: Booth, isConnected: boolean) {
  useLiveRefetch(liveLanes, [listLaneViews])
  const input = { parkId, ...(boothName === allLanes ? {} : { boothName }) }
  const [hasCommand, setHasCommand] = useState(false)
  const idleMs = isConnected ? false : offlineMs
  const lanes = useCall(listLaneViews, input, {
    quiet: true,
    keepPrevious: true,
    staleMs: 0,
    refetchMs: hasCommand ? commandMs : idleMs,
  })
  const isCommanded = lanes.data?.some(isUnderWay) ?? false
  if (isCommanded !== hasCommand) {
    setHasCommand(isCommanded)
  }
  return lanes
}
