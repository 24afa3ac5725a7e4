import { describe, expect, it } from 'vitest'
import { parseId } from '#kit/domain/id.ts'
import {
  hasCodeForm,
  idOfShownKey,
  maskedItemKey,
  maskItemKey,
  maskNumberOfKey,
  maskSecretsIn,
  secretTextPattern,
  shownItemKey,
} from './secret-item.ts'

describe('what opens for everybody who knows it', () => {
  it('is shown by its last two digits, a short one not at all', () => {
    expect(maskItemKey('qr:76693219')).toBe('qr:******19')
    expect(maskItemKey('password:1234')).toBe('password:**')
    expect(maskItemKey('pass:9127642031205858')).toBe('pass:**************58')
    expect(maskItemKey('lift:qr:76693219')).toBe('lift:qr:******19')
    expect(maskItemKey('card:76693219')).toBe('card:76693219')
  })

  it('is found again by the number of its row', () => {
    const shown = shownItemKey({ id: parseId('123'), itemKey: 'qr:76693219' })
    expect(shown).toBe('qr:******19#123')
    expect(idOfShownKey(shown)).toBe('123')
    expect(idOfShownKey('lift:qr:******19#123')).toBe('123')
    expect(idOfShownKey(shownItemKey({ id: parseId('123'), itemKey: 'card:1#5' }))).toBeUndefined()
  })

  it('is a card too for those who may not see cards', () => {
    const shown = maskedItemKey({ id: parseId('7'), itemKey: 'card:AB12EF' })
    expect([shown, idOfShownKey(shown)]).toEqual(['card:****EF#7', '7'])
    expect(maskedItemKey({ id: parseId('7'), itemKey: 'face:12' })).toBe('face:12')
  })

  it('is in no event, wherever it is repeated', () => {
    const content = JSON.stringify({ item: 'qr:76693219', card: '76693219', key: '76693219-1' })
    expect(JSON.parse(maskSecretsIn(content))).toEqual({
      item: 'qr:******19',
      card: '******19',
      key: '76693219-1',
    })
    expect(maskSecretsIn('{"item":"lift:qr:76693219"}')).toBe('{"item":"lift:qr:******19"}')
    expect(maskSecretsIn('{"item":"card:7669321"}')).toBe('{"item":"card:7669321"}')
  })

  it('is in no event either where a device took it for the number of a card (ACS-1)', () => {
    const code = '9127642031205858'
    const masked = `${'*'.repeat(14)}58`
    const text = JSON.stringify({ card: code, item: `card:${code}`, key: `7:${code}1` })
    expect(JSON.parse(maskSecretsIn(text))).toEqual({
      card: masked,
      item: `card:${masked}`,
      key: `7:${code}1`,
    })
    expect(maskSecretsIn(`{"card":${code},"method":1}`)).toBe(`{"card":"${masked}","method":1}`)
    expect(maskSecretsIn('{"card":76693219}')).toBe('{"card":"******19"}')
    expect(new RegExp(secretTextPattern).test(text)).toBe(true)
    expect(new RegExp(secretTextPattern).test('{"card":"P1001","key":"76693219"}')).toBe(false)
    expect([code, '76693219', '1234567890', 'A6693219'].map(hasCodeForm)).toEqual([true, true, false, false])
    expect(maskNumberOfKey(`card:${code}`)).toBe(`card:${masked}`)
  })
})
