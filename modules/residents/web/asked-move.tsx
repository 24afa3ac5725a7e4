import { parseId, type Id } from '#kit/domain/id.ts'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { RoomPicker } from '#modules/rooms/web/public.tsx'
import { listResidencies } from '../contract/residency.ts'
import { CheckOutDialog, TransferDialog } from './move-dialogs.tsx'
import { RoomPersonPicker } from './person-pickers.tsx'

type AskedKind = 'transfer' | 'checkout'

const isAskedKind = (kind: string | null): kind is AskedKind => kind === 'transfer' || kind === 'checkout'

const noneText: Record<AskedKind, string> = {
  transfer: '该房间没有在住的业主，请先办理住户入住',
  checkout: '该住户不在住，不能办理迁出',
}

/** The dialog for the room of the address, once it is known who lives there. */
function AskedDialog({
  kind,
  roomId,
  linkId,
  onClose,
}: {
  readonly kind: AskedKind
  readonly roomId: Id
  readonly linkId: Id
  readonly onClose: () => void
}) {
  const living = useCall(listResidencies, { roomId, status: ['living'], size: 100 })
  const rows = living.data?.rows
  const owners = rows?.filter(row => row.relation === 'owner')
  const target =
    kind === 'transfer'
      ? (owners?.find(row => row.isMain) ?? owners?.[0])
      : rows?.find(row => row.id === linkId)
  const isMissing = rows !== undefined && !target
  useEffect(() => {
    if (isMissing) {
      toast.warning(noneText[kind])
      onClose()
    }
  }, [isMissing])
  if (!target) return null
  return kind === 'transfer' ? (
    <TransferDialog target={target} onClose={onClose} />
  ) : (
    <CheckOutDialog residencies={[target]} onClose={onClose} />
  )
}

/** 过户 and 迁出 begun by the address (`?do=transfer`): the room or the person is chosen first. */
export function AskedMove() {
  const [params, setParams] = useSearchParams()
  const project = useProject()
  const kind = params.get('do')
  const roomId = parseId(params.get('roomId'))
  if (!isAskedKind(kind)) return null
  const setMembers = (members: Readonly<Record<string, string>>): void =>
    setParams(
      previous => {
        const next = new URLSearchParams(previous)
        next.delete('do')
        next.delete('link')
        for (const [key, value] of Object.entries(members)) {
          next.set(key, value)
        }
        return next
      },
      { replace: true },
    )
  const close = (): void => setMembers({})
  if (roomId > 0)
    return <AskedDialog kind={kind} roomId={roomId} linkId={parseId(params.get('link'))} onClose={close} />
  return kind === 'transfer' ? (
    <RoomPicker
      scene="roomShop"
      value={[]}
      projectCode={project}
      onDone={chosen => {
        const room = chosen?.[0]
        setMembers(room ? { do: kind, roomId: String(room.id) } : {})
      }}
    />
  ) : (
    <RoomPersonPicker
      title="选择迁出的住户"
      projectCode={project}
      onDone={person =>
        setMembers(person ? { do: kind, roomId: String(person.roomId), link: String(person.linkId) } : {})
      }
    />
  )
}
