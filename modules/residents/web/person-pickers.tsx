import { defined } from '#kit/domain/defined.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { truncate } from '#kit/contract/text.ts'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { SlideIn } from '#kit/web/pickers/slide-in.tsx'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import { roomNode, roomsByCode, failureText } from '#modules/rooms/web/public.tsx'
import {
  personNodeKey,
  personSource,
  residentSource,
  type PersonNodeData,
  type PersonInRoom,
  type PickedPerson,
} from './person-nodes.ts'

export interface ResidentPickerProps {
  readonly title?: string
  readonly many?: boolean
  readonly max?: number | undefined
  /** The project to choose in; none: all that the caller may see. */
  readonly projectCode?: string | undefined
  /** Who is chosen already. */
  readonly value: readonly PickedPerson[]
  readonly above?: ReactNode
  readonly onDone: (chosen: readonly PickedPerson[] | undefined) => void
}

/** Residents as a list of radios, or of boxes where several may be chosen (0§2). */
export function ResidentPicker({
  title = '选择住户',
  many = false,
  max,
  projectCode,
  value,
  above,
  onDone,
}: ResidentPickerProps) {
  const source = useMemo(() => residentSource(projectCode), [projectCode])
  const chosen = useMemo(
    () =>
      value.map((person): TreeNode<PickedPerson> => ({
        key: String(person.id),
        label: truncate(person.name, 10),
        path: [],
        leaf: true,
        note: person.mobile,
        data: person,
      })),
    [],
  )
  return (
    <TreePicker
      title={title}
      source={source}
      multiple={many}
      max={max}
      unit="人"
      value={chosen}
      placeholder="搜索用户"
      layout="rows"
      {...(above ? { belowSearch: above } : {})}
      emptyText="暂无住户"
      notFoundText="无符合搜索条件的住户"
      onDone={chosenNodes => onDone(chosenNodes?.map(n => n.data))}
    />
  )
}

export interface RoomPersonPickerProps {
  readonly title?: string
  readonly projectCode?: string | undefined
  readonly value?:
    | {
        readonly roomCode: string
        readonly projectCode?: string | undefined
        readonly userInfo: PickedPerson
      }
    | undefined
  readonly search?: boolean
  readonly above?: ReactNode
  readonly onDone: (chosen: PersonInRoom | undefined) => void
}

/** A room of the tree and then a person of it (0§2, 0§3); the value that is set stands open. */
export function RoomPersonPicker({
  title = '选择房间',
  projectCode,
  value,
  search = true,
  above,
  onDone,
}: RoomPersonPickerProps) {
  const source = useMemo(() => personSource(projectCode, search), [projectCode, search])
  const project = value?.projectCode ?? projectCode
  const savedRoom = useQuery({
    queryKey: ['room-person', project, value?.roomCode],
    queryFn: () => roomsByCode([defined(value).roomCode], project),
    enabled: value !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  const chosen = useMemo((): TreeNode<PersonNodeData>[] => {
    const found = savedRoom.data?.[0]
    if (!value || !found) return []
    const node = roomNode(found, undefined)
    const room = node.data
    const user = value.userInfo
    const key = personNodeKey(room.code, room.projectCode, user.id)
    return [
      {
        key,
        label: truncate(user.name, 10),
        path: [...node.path, node.key],
        leaf: true,
        fullName: `${room.areaLabel} ${truncate(user.name, 10)}`,
        data: {
          roomCode: room.code,
          roomId: room.id,
          projectCode: room.projectCode,
          userInfo: user,
          linkId: 0,
          areaLabel: room.areaLabel,
        },
      },
    ]
  }, [savedRoom.data])
  if (savedRoom.isError)
    return (
      <SlideIn
        title={title}
        saveDisabledReason="已选的房间加载失败"
        onBack={() => onDone(undefined)}
        onSave={() => undefined}
      >
        <div className="pick-trouble" role="alert">
          {failureText(savedRoom.error)}
        </div>
        <div style={{ padding: 12 }}>
          <Button onClick={() => void savedRoom.refetch()}>重试</Button>
        </div>
      </SlideIn>
    )
  if (value && !savedRoom.data) return null
  return (
    <TreePicker
      title={title}
      source={source}
      multiple={false}
      unit="人"
      value={chosen}
      placeholder="请输入房间号"
      layout="rows"
      errorText={failureText}
      {...(above ? { belowSearch: above } : {})}
      emptyText="暂无房间"
      notFoundText="房间不存在或没有住户"
      onDone={chosenNodes => {
        const data = chosenNodes?.[0]?.data
        onDone(data && 'userInfo' in data ? data : undefined)
      }}
    />
  )
}
