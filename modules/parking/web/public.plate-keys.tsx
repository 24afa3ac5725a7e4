import { useState } from 'react'
import { normalizePlate } from '../contract/licence-plate.ts'
import { firstKeys, maxPlateLength, nextKeys } from './plate-keys.ts'
import './plate-keys.css'

export { isWholePlate } from './plate-keys.ts'

interface PlateKeysProps {
  readonly value: string
  readonly onChange: (plateNo: string) => void
}

/** A plate by large keys, the province first, or by the keyboard of the telephone. */
export function PlateKeys({ value, onChange }: PlateKeysProps) {
  const [isTyping, setTyping] = useState(false)
  const write = (text: string): void => onChange(normalizePlate(text).slice(0, maxPlateLength))
  const keys = value === '' ? firstKeys : nextKeys
  return (
    <div className="plate-entry">
      <div className="plate-value">
        <input
          aria-label="车牌"
          placeholder="请输入车牌"
          inputMode={isTyping ? 'text' : 'none'}
          autoCapitalize="characters"
          autoComplete="off"
          value={value}
          onChange={event => write(event.target.value)}
        />
        <button type="button" className="big" onClick={() => setTyping(typing => !typing)}>
          {isTyping ? '按键' : '键盘'}
        </button>
        <button
          type="button"
          className="big"
          aria-label="删除一位"
          disabled={value === ''}
          onClick={() => onChange(value.slice(0, -1))}
        >
          ⌫
        </button>
      </div>
      {!isTyping && (
        <div className="plate-keys" role="group" aria-label={value === '' ? '省份简称' : '字母与数字'}>
          {keys.map(key => (
            <button type="button" key={key} onClick={() => write(value + key)}>
              {key}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
