import { Select } from 'antd'
import { useState } from 'react'
import { useStored } from '#kit/web/browser-store.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { personalKey } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { listBooths } from '../contract/shift.ts'
import { boothKeyOf, chooseBooth } from './booth-choice.ts'
import { LaneCard } from './lane-card.tsx'
import { LanePanel } from './lane-panel.tsx'
import { allLanes, useLanes, useLiveConnected, type Booth, type LaneView } from './live-lanes.ts'
import { ShiftStrip, type BoothRow } from './shift-strip.tsx'
import './parking-booth.css'

/** Every booth, and where a car park has several all of its lanes together. */
function boothOptions(booths: readonly BoothRow[]) {
  const byPark = Map.groupBy(booths, booth => booth.parkId)
  return [...byPark].flatMap(([parkId, ofPark]) => [
    ...ofPark.map(booth => ({ value: boothKeyOf(booth), label: `${booth.parkName} · ${booth.boothName}` })),
    ...(ofPark.length > 1
      ? [{ value: boothKeyOf({ parkId, boothName: allLanes }), label: `${ofPark[0]?.parkName} · 全部车道` }]
      : []),
  ])
}

/** The lane after the chosen one where a car waits. */
function nextWaiting(lanes: readonly LaneView[], chosen: LaneView): LaneView | undefined {
  const at = lanes.indexOf(chosen)
  const order = [...lanes.slice(at + 1), ...lanes.slice(0, at)]
  return order.find(lane => lane.isWaiting)
}

interface BoothProps {
  readonly booth: Booth
  readonly isOnDuty: boolean
}

function LaneBoard({ booth, isOnDuty, lanes }: BoothProps & { readonly lanes: readonly LaneView[] }) {
  // Chosen by the person alone: a car that comes elsewhere never takes the place of the one at hand.
  const [chosenId, choose] = useState<LaneView['laneId'] | undefined>(
    () => (lanes.find(lane => lane.isWaiting) ?? lanes[0])?.laneId,
  )
  const chosen = lanes.find(lane => lane.laneId === chosenId) ?? lanes[0]
  if (!chosen) return <Empty text="该岗亭暂无启用的车道" />
  const next = nextWaiting(lanes, chosen)
  return (
    <div className="booth-board">
      <ul className="booth-lanes" aria-label="车道">
        {lanes.map(lane => (
          <LaneCard
            key={lane.laneId}
            lane={lane}
            isChosen={lane === chosen}
            onChoose={() => choose(lane.laneId)}
          />
        ))}
      </ul>
      <LanePanel
        key={chosen.laneId}
        booth={booth}
        isOnDuty={isOnDuty}
        lane={chosen}
        onNext={next && (() => choose(next.laneId))}
      />
    </div>
  )
}

function Lanes({ booth, isOnDuty }: BoothProps) {
  const isConnected = useLiveConnected()
  const lanes = useLanes(booth, isConnected)
  const isStale = lanes.isError && lanes.data !== undefined
  return (
    <>
      {(!isConnected || isStale) && (
        <p className="booth-offline" role="status">
          <Status tone="bad" plain>
            {isStale ? '网络已断开，显示的是断开前的车道' : '实时连接已断开，每 5 秒刷新一次'}
          </Status>
        </p>
      )}
      <Loaded query={lanes} height={480} rows={6} keepsAnswer>
        {answer => <LaneBoard key={boothKeyOf(booth)} booth={booth} isOnDuty={isOnDuty} lanes={answer} />}
      </Loaded>
    </>
  )
}

function BoothWork({ booths }: { readonly booths: readonly BoothRow[] }) {
  const [stored, store] = useStored(personalKey('parking-booth/booth'), '')
  const own = booths.find(each => each.isOwn)
  // The screen opens at the own shift, however late the answer with it comes, and stays there after it.
  const [chosen, choose] = useState(own && boothKeyOf(own))
  if (chosen === undefined && own) {
    choose(boothKeyOf(own))
  }
  const found = chooseBooth(booths, { chosen, stored })
  const booth = 'missing' in found ? undefined : found
  const isOnDuty = booth !== undefined && own?.parkId === booth.parkId
  const row =
    booth && (booths.find(each => boothKeyOf(each) === boothKeyOf(booth)) ?? (isOnDuty ? own : undefined))
  return (
    <div className="booth-page">
      {booths.length > 0 && (
        <header className="booth-head">
          <Select
            aria-label="岗亭"
            placeholder="请选择岗亭"
            value={booth && boothKeyOf(booth)}
            options={boothOptions(booths)}
            popupMatchSelectWidth={false}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={key => {
              choose(key)
              store(key)
            }}
          />
          {row && <ShiftStrip booth={row} />}
        </header>
      )}
      {booth && <Lanes booth={booth} isOnDuty={isOnDuty} />}
      {'missing' in found && <Empty text={found.missing} />}
    </div>
  )
}

/** 岗亭收费: the lanes of a booth as cars come, and what is done with the car at hand. */
export default function BoothPage() {
  const project = useProject()
  // Of all projects, whichever the page sends: the own shift is shown in each of them.
  const booths = useCall(listBooths, {}, { quiet: true, project: 0 })
  const isShown = (booth: BoothRow) => booth.isOwn || !project || booth.projectCode === project
  return (
    <Loaded query={booths} height={480} rows={8} keepsAnswer>
      {rows => <BoothWork booths={rows.filter(isShown)} />}
    </Loaded>
  )
}
