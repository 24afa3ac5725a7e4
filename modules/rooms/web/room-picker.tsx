import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { Button } from 'antd'
import { SlideIn } from '#kit/web/pickers/slide-in.tsx'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import { sceneType } from '../contract/labels.ts'
import {
  roomNode,
  roomSource,
  roomsByCode,
  failureText,
  type DisabledReason,
  type PickedRoom,
  type RoomScene,
} from './room-picker-nodes.ts'

export interface RoomPickerProps {
  /** Which places: rooms, shops, both, public areas too, or areas alone. It gives the title. */
  readonly scene?: RoomScene
  readonly many?: boolean
  readonly max?: number | undefined
  /** The project to choose in; none: all that the caller may see. */
  readonly projectCode?: string | undefined
  /** Codes of what is chosen already. */
  readonly value: readonly string[]
  readonly search?: boolean
  /** Why a place cannot be chosen. Must be the same function while the picker is open. */
  readonly disabledReason?: DisabledReason
  readonly onDone: (chosen: readonly PickedRoom[] | undefined) => void
}

const sceneChoices: Partial<Record<RoomScene, readonly RoomScene[]>> = {
  roomShop: ['roomShop', 'room', 'shop'],
  roomShopArea: ['roomShopArea', 'room', 'shop', 'area'],
}

const chipLabel = (chip: RoomScene, isAll: boolean): string =>
  isAll ? '全部' : `只看${labelOf(sceneType, chip)}`

interface ScenePickerProps extends RoomPickerProps {
  readonly title: string
  readonly placeholder: string
  readonly layout: 'lines' | 'rows'
}

function ScenePicker({
  scene = 'room',
  many: multiple = false,
  max,
  projectCode,
  value,
  search = true,
  disabledReason,
  title,
  placeholder,
  layout,
  onDone,
}: ScenePickerProps) {
  const [shownScene, setShownScene] = useState<RoomScene>(scene)
  const source = useMemo(
    () => roomSource(shownScene, projectCode, disabledReason, search),
    [shownScene, projectCode, disabledReason, search],
  )
  const savedRooms = useQuery({
    queryKey: ['room-picker', projectCode, value],
    queryFn: () => roomsByCode(value, projectCode),
    enabled: value.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
  const chosen = useMemo(
    () => (savedRooms.data ?? []).map(r => ({ ...roomNode(r, disabledReason), disabledReason: undefined })),
    [savedRooms.data, disabledReason],
  )
  if (savedRooms.isError)
    return (
      <SlideIn
        title={title}
        saveDisabledReason="已选的房间加载失败"
        onBack={() => onDone(undefined)}
        onSave={() => undefined}
      >
        <div className="pick-trouble" role="alert">
          {failureText(savedRooms.error)}
        </div>
        <div style={{ padding: 12 }}>
          <Button onClick={() => void savedRooms.refetch()}>重试</Button>
        </div>
      </SlideIn>
    )
  if (value.length > 0 && !savedRooms.data) return null
  const choices = sceneChoices[scene]
  const sceneChips = choices && (
    <div className="pick-chips" role="group" aria-label="只看">
      {choices.map((chip, i) => (
        <button
          key={chip}
          type="button"
          aria-pressed={chip === shownScene}
          onClick={() => setShownScene(chip)}
        >
          {chipLabel(chip, i === 0)}
        </button>
      ))}
    </div>
  )
  return (
    <TreePicker
      title={title}
      source={source}
      multiple={multiple}
      max={max}
      unit={scene === 'area' ? '处' : '间'}
      value={chosen}
      placeholder={placeholder}
      layout={layout}
      errorText={failureText}
      {...(sceneChips ? { belowSearch: sceneChips } : {})}
      emptyText={`暂无${labelOf(sceneType, scene)}`}
      onDone={picked => onDone(picked?.map(n => n.data))}
    />
  )
}

/**
 * Rooms, shops or public areas as floors of a unit; one (the second takes the place of the first) or several
 * (0§2, 0§4).
 */
export function RoomPicker(props: RoomPickerProps) {
  const scene = props.scene ?? 'room'
  return (
    <ScenePicker
      {...props}
      scene={scene}
      title={`选择${labelOf(sceneType, scene)}`}
      placeholder="请输入房间号"
      layout="lines"
    />
  )
}

/** Several rooms and shops (scene type 2). */
export const MultiRoomPicker = (props: Omit<RoomPickerProps, 'scene' | 'many'>) => (
  <RoomPicker {...props} scene="roomShop" many />
)

/** The tree of all projects down to the room, one room by radio, shops marked (0§2). */
export const AreaPicker = (props: Omit<RoomPickerProps, 'scene' | 'many' | 'max'>) => (
  <ScenePicker
    {...props}
    scene="roomShop"
    many={false}
    title="选择区域"
    placeholder="请输入房间号"
    layout="rows"
  />
)
