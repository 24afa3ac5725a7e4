import { parseId } from '#kit/domain/id.ts'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getRoom } from '#modules/rooms/contract/room.ts'
import { MultiRoomPicker, type PickedRoom } from '#modules/rooms/web/public.tsx'

/** A room that is known by its id alone, by its name. */
function RoomName({ id }: { readonly id: string }) {
  const room = useCall(getRoom, { id: parseId(id) }, { quiet: true })
  return <>{room.data?.path ?? '…'}</>
}

/** Several rooms, chosen in the tree, kept by id. */
export function RoomsControl(props: ControlProps) {
  const project = useProject()
  const [isOpen, setIsOpen] = useState(false)
  const [picked, setPicked] = useState<readonly PickedRoom[]>([])
  const ids = Array.isArray(props.value) ? props.value.map(String) : []
  const findPicked = (id: string): PickedRoom | undefined => picked.find(k => String(k.id) === id)
  return (
    <div id={props.id} role="group" aria-label={props.field.label}>
      {ids.map(id => (
        <Tag key={id} closable={!props.disabled} onClose={() => props.onChange(ids.filter(x => x !== id))}>
          {findPicked(id)?.path ?? <RoomName id={id} />}
        </Tag>
      ))}
      <Button size="small" disabled={props.disabled} onClick={() => setIsOpen(true)}>
        选择房屋
      </Button>
      {isOpen && (
        <MultiRoomPicker
          max={props.field.max}
          projectCode={
            typeof props.formValues.projectCode === 'string' ? props.formValues.projectCode : project
          }
          value={ids.flatMap(id => findPicked(id)?.code ?? [])}
          onDone={chosen => {
            setIsOpen(false)
            if (chosen) {
              setPicked(chosen)
              props.onChange([
                ...new Set([...ids.filter(id => !findPicked(id)), ...chosen.map(r => String(r.id))]),
              ])
            }
            props.onBlur()
          }}
        />
      )}
    </div>
  )
}
