import { Button, Input } from 'antd'
import type { ControlProps } from '#kit/web/controls/control-kinds.tsx'
import { send } from '#kit/web/send.ts'
import { generateParkCode } from '../contract/park.ts'
import './parking.css'

/** A code that nobody has can be asked for; left empty the server makes one. */
export const ParkCodeControl = ({ id, value, disabled, invalid, onChange, onBlur }: ControlProps) => (
  <div className="with-fresh">
    <Input
      id={id}
      value={typeof value === 'string' ? value : ''}
      disabled={disabled}
      autoComplete="off"
      {...(invalid ? { status: 'error' as const } : {})}
      onChange={e => onChange(e.target.value.trim() || undefined)}
      onBlur={onBlur}
    />
    <Button
      onClick={() =>
        void send(generateParkCode, undefined).then(
          code => onChange(code),
          () => undefined,
        )
      }
    >
      生成
    </Button>
  </div>
)
