import { parseId, type Id } from '#kit/domain/id.ts'
import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { getRoom } from '#modules/rooms/contract/room.ts'
import { RoomPicker } from '#modules/rooms/web/public.tsx'
import './merchants.css'

/** The shop or room where somebody trades, chosen on its floor and kept by its id. */
export function ShopControl({
  field,
  id,
  value,
  onChange,
  onBlur,
  disabled,
  describedBy,
  formValues,
}: ControlProps) {
  const project = useProject()
  const projectCode = typeof formValues.projectCode === 'string' ? formValues.projectCode : project
  const [picking, setPicking] = useState(false)
  const [picked, setPicked] = useState<{
    readonly id: Id
    readonly code: string
    readonly path: string
  }>()
  const roomId = typeof value === 'number' ? parseId(value) : undefined
  const known = picked?.id === roomId ? picked : undefined
  const one = useCall(getRoom, { id: roomId ?? 0 }, { quiet: true, enabled: roomId !== undefined && !known })
  const shown =
    roomId === undefined
      ? undefined
      : (known ??
        (one.data
          ? { code: one.data.code, path: one.data.path }
          : {
              path: String(formValues.roomPath ?? '…'),
              code: typeof formValues.roomCode === 'string' ? formValues.roomCode : undefined,
            }))
  const why = projectCode ? undefined : '请先选择项目'
  return (
    <div
      className="shop-control"
      id={id}
      role="group"
      aria-label={field.label}
      aria-describedby={describedBy}
    >
      {shown && (
        <span className="shop">
          {shown.path}
          {!disabled && (
            <button
              type="button"
              className="plain"
              aria-label="清除商铺"
              onClick={() => {
                onChange(undefined)
                onBlur()
              }}
            >
              <CloseOutlined />
            </button>
          )}
        </span>
      )}
      {!disabled && (
        <Button size="small" disabled={why !== undefined} title={why} onClick={() => setPicking(true)}>
          {shown ? '更换' : '选择商铺'}
        </Button>
      )}
      {picking && (
        <RoomPicker
          scene="roomShop"
          projectCode={projectCode}
          value={shown?.code ? [shown.code] : []}
          onDone={got => {
            setPicking(false)
            const [room] = got ?? []
            if (room) {
              setPicked(room)
              onChange(room.id)
            }
            onBlur()
          }}
        />
      )}
    </div>
  )
}
