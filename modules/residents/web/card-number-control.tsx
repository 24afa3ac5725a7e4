import type { Id } from '#kit/domain/id.ts'
import { controls, type ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { usePermission } from '#kit/web/session.ts'
import { cardReader } from './public.card-reader.ts'
import './residents.css'

/** The number of a card: typed, or read at a device of the form's project. */
function CardNumberControl(props: ControlProps) {
  const hasPermission = usePermission()
  const Text = controls.text
  const { projectCode } = props.formValues
  const readers = cardReader.useAll().filter(({ needs }) => hasPermission(needs))
  const isReadable = typeof projectCode === 'string' && projectCode !== '' && !props.disabled
  return (
    <div className="resident-card-number">
      <Text {...props} />
      {isReadable &&
        readers.map(({ needs, Button }) => (
          <Button key={needs.key} projectCode={projectCode} onRead={props.onChange} />
        ))}
    </div>
  )
}

export const cardNumberField = {
  key: 'cardNo',
  control: CardNumberControl,
  disabledReason: (values: { id?: Id }) => (values.id ? '卡号不能修改，换卡请注销后重新发卡' : undefined),
} as const
