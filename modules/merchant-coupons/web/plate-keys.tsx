import { useState } from 'react'

const provinces = '粤京沪津渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵青藏川宁琼使'
const serial = '1234567890ABCDEFGHJKLMNPQRSTUVWXYZ学警港澳挂'

/** As many characters as a plate of a new-energy car has. */
const maxLength = 8

interface PlateKeysProps {
  readonly value: string
  readonly onChange: (plateNo: string) => void
  readonly label: string
}

/** A plate by large keys: the province first, then letters and digits. */
export function PlateKeys({ value, onChange, label }: PlateKeysProps) {
  const [isTyping, setTyping] = useState(false)
  const keys = value.length === 0 ? provinces : serial
  const press = (key: string): void => {
    if (value.length < maxLength) {
      onChange(value + key)
    }
  }
  return (
    <div className="plate-entry">
      <div className="plate-value">
        {isTyping ? (
          <input
            aria-label={label}
            value={value}
            maxLength={maxLength}
            autoCapitalize="characters"
            onChange={event => onChange(event.target.value.toUpperCase())}
          />
        ) : (
          <output aria-label={label}>{value || '请输入车牌'}</output>
        )}
        <button type="button" className="big" onClick={() => setTyping(typing => !typing)}>
          {isTyping ? '按键' : '键盘'}
        </button>
        <button
          type="button"
          className="big"
          aria-label="删除一位"
          disabled={value.length === 0}
          onClick={() => onChange(value.slice(0, -1))}
        >
          ⌫
        </button>
      </div>
      {!isTyping && (
        <div className="plate-keys" role="group" aria-label={value.length === 0 ? '省份简称' : '字母与数字'}>
          {[...keys].map(key => (
            <button type="button" key={key} onClick={() => press(key)}>
              {key}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
