import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatFraction } from '../fraction.ts'
import { CalculationError } from './errors.ts'
import { evaluate, findFormulaFault, compileFormula, findParameterFault } from './formula.ts'

const sampleValues = {
  建筑面积: '98.65',
  套内面积: '80',
  计费面积: '100',
  楼层: '5',
  系数: '1',
  单价: '2.85',
  户人数: '3',
  用量: '32',
  总户数: '4',
  月数: '1',
  天数: '31',
  当月天数: '31',
  'A[朝向系数]': '1.2',
}

const evaluateSample = (text: string, overrides: Record<string, string> = {}): string =>
  formatFraction(evaluate(compileFormula(text, Object.keys(overrides)), { ...sampleValues, ...overrides }))

it('T-FEE-08, T-MTR-04 tiers are marginal', () => {
  expect(evaluateSample('STEP(Q; 15,2.8; 25,4.2; *,8.4)')).toBe('142.8')
  const tariff = 'STEP(用量; 180,0.56; 260,0.61; *,0.86)'
  expect(
    ['0', '180', '200', '260', '300'].map(q => formatFraction(evaluate(compileFormula(tariff), { 用量: q }))),
  ).toEqual(['0', '100.8', '113', '149.6', '184'])
})

it('FEE-20 takes whole words, long and short', () => {
  expect(evaluateSample('单价 × 建筑面积')).toBe('281.1525')
  expect(evaluateSample('P*S')).toBe('281.1525')
  expect(evaluateSample('p*s + Ｓ')).toBe('379.8025')
  expect(evaluateSample('SN+SJ*L')).toBe('580')
  expect(evaluateSample('建筑面积 * A[朝向系数]')).toBe('118.38')
  expect(evaluateSample('a[ 朝向系数 ]')).toBe('1.2')
  expect(evaluateSample('电梯费 + 单价', { 电梯费: '3' })).toBe('5.85')
  expect(compileFormula('S*P + IF(楼层>1, A[朝向系数], 建筑面积)').variables).toEqual([
    '建筑面积',
    '单价',
    '楼层',
    'A[朝向系数]',
  ])
})

it('FEE-21 computes in the usual order, exactly', () => {
  expect([
    evaluateSample('1+2*3'),
    evaluateSample('(1+2)×3'),
    evaluateSample('2-3+4'),
    evaluateSample('12÷3÷2'),
    evaluateSample('5−2'),
    evaluateSample('--3'),
    evaluateSample('+3'),
    evaluateSample('.5*2'),
  ]).toEqual(['7', '9', '3', '2', '3', '3', '3', '1'])
  expect([
    evaluateSample('10+6/(L-8)'),
    evaluateSample('10-6/(8-L)'),
    evaluateSample('0/(L-8)'),
    evaluateSample('ROUND(1/3,6)'),
    evaluateSample('IF(1<1,1,2)'),
    evaluateSample('IF(1>1,1,2)'),
    evaluateSample('IF(1<=1,1,2)'),
    evaluateSample('IF(1>=1,1,2)'),
  ]).toEqual(['8', '8', '0', '0.333333', '2', '2', '1', '1'])
  expect(evaluateSample('100/3*3')).toBe('100')
  expect(evaluateSample('0.1+0.2')).toBe('0.3')
  expect([
    evaluateSample('IF(L<=1, 0, MIN(70, 30+(L-2)*5))'),
    evaluateSample('IF(L<=1,0,MIN(70,30+(L-2)*5))', { 楼层: '11' }),
    evaluateSample('if(楼层≥6,35,30)'),
  ]).toEqual(['45', '70', '30'])
  expect([
    evaluateSample('MAX(1,2,3)'),
    evaluateSample('MIN(3,2,5)'),
    evaluateSample('ROUND(2.345,2)'),
    evaluateSample('CEIL(1.2)'),
    evaluateSample('FLOOR(1.8)'),
    evaluateSample('10+CEIL(-1.2)'),
    evaluateSample('10+FLOOR(-1.2)'),
    evaluateSample('CEIL(2)'),
  ]).toEqual(['3', '2', '2.35', '2', '1', '9', '8', '2'])
  expect([
    evaluateSample('IF(1<>1,1,2)'),
    evaluateSample('IF(2!=1,1,2)'),
    evaluateSample('IF(1=1,1,2)'),
    evaluateSample('IF(1==2,1,2)'),
    evaluateSample('IF(1≠2,1,2)'),
    evaluateSample('IF(IF(1<2,2>1,3<1),1,2)'),
  ]).toEqual(['2', '1', '1', '2', '1', '1'])
})

it('FEE-22 refuses at saving, with the place and what to do', () => {
  const table: readonly (readonly [text: string, at: number, length: number, message: string])[] = [
    ['', 0, 0, '公式不能为空'],
    ['   ', 3, 0, '公式不能为空'],
    ['S＋P', 1, 1, '第 2 个字符：“＋”是全角符号，请改为半角“+”'],
    ['（S）', 0, 1, '“（”是全角符号'],
    ['S×１２', 2, 1, '“１”是全角符号'],
    ['MIN(S，P)', 5, 1, '请改为半角“,”'],
    ['S/0', 2, 1, '除数为零'],
    ['S/(2-2)', 2, 5, '除数为零'],
    ['IF(S>1,1/0,2)', 9, 1, '除数为零'],
    ['S+电梯', 2, 2, '没有变量“电梯”'],
    ['单价建筑面积', 0, 6, '“单价”与“建筑面积”之间缺少运算符，如 单价 × 建筑面积'],
    ['IF(L>5 且 L<9,1,2)', 7, 1, '公式中没有“且”，几个条件请用 IF 嵌套'],
    ['IF(L>5或L<9,1,2)', 6, 1, '公式中没有“或”，几个条件请用 IF 嵌套'],
    ['IF(L>5 AND L<9,1,2)', 7, 3, '公式中没有“AND”'],
    ['IF(L>5 && L<9,1,2)', 7, 1, '不能使用“&”，几个条件请用 IF 嵌套'],
    ['2(S)', 1, 1, '“(”前面缺少运算符'],
    ['S(2)', 1, 1, '“S”与“(”之间缺少运算符'],
    ['2S', 1, 1, '“S”前面缺少运算符'],
    ['S P', 2, 1, '前面缺少运算符'],
    ['S+', 2, 0, '公式末尾：后面还缺'],
    ['(S', 0, 1, '没有对应的“)”'],
    ['MIN(S,P', 3, 1, '没有对应的“)”'],
    ['S)', 1, 1, '有多余的“)”'],
    ['S**P', 2, 1, '“*”前面缺少'],
    ['MIN(S)', 0, 6, 'MIN 应写作'],
    ['ROUND(S)', 0, 8, 'ROUND 应写作'],
    ['ROUND(S,L)', 8, 1, '0 到 6 的整数'],
    ['ROUND(S,1.5)', 8, 3, '0 到 6 的整数'],
    ['ROUND(S,7)', 8, 1, '0 到 6 的整数'],
    ['S>1', 0, 3, '是条件，不是数'],
    ['1+(S>1)', 2, 5, '是条件，不是数'],
    ['IF(S,1,2)', 3, 1, 'IF 的第一个参数应为条件'],
    ['IF(1<2,1,2>1)', 9, 3, '两个结果应同为数'],
    ['IF(1<2<3,1,2)', 6, 1, '只能比较一次'],
    ['SQRT(S)', 0, 4, '没有函数“SQRT”'],
    ['S%', 1, 1, '请写成小数'],
    ['S^2', 1, 1, '请写成连乘'],
    ['S#2', 1, 1, '不能使用“#”'],
    ['1.2.3', 3, 2, '前面缺少运算符'],
    ['STEP(Q)', 0, 7, 'STEP 写作'],
    ['STEP(Q; 15,2; 25,3)', 0, 19, '最后一档写 *'],
    ['STEP(Q; *,3; 25,3)', 0, 18, '最后一档写 *'],
    ['STEP(Q; 25,2; 15,3; *,4)', 14, 2, '逐档增大'],
    ['STEP(Q; 0,2; *,4)', 8, 1, '应大于零'],
    ['STEP(Q; 15; *,4)', 10, 1, '每档写作'],
    ['A[]', 0, 3, '请写属性名称'],
    ['[朝向]', 0, 1, '方括号只用于'],
    ['𠮷+S#', 4, 1, '第 4 个字符'],
  ]
  for (const [text, at, length, message] of table) {
    const fault = findFormulaFault(text)
    expect([text, fault?.at, fault?.length]).toEqual([text, at, length])
    expect(fault?.message).toContain(message)
  }
  expect(findFormulaFault('（S＋１）×2')?.fix).toBe('(S+1)×2')
  expect(findFormulaFault('S'.padEnd(503, ' '))).toMatchObject({ at: 500, length: 3 })
  expect(findFormulaFault('S'.padEnd(501, ' '))?.message).toContain('最多 500 个字符，现有 501 个')
  expect(findFormulaFault('S*P'.padEnd(500, ' '))).toBeUndefined()
  expect(findFormulaFault('1'.repeat(10_000))?.message).toContain('最多 500')
  const nested = (n: number): string => '('.repeat(n) + 'S' + ')'.repeat(n)
  expect([findFormulaFault(nested(20)), findFormulaFault(nested(21))?.at]).toEqual([undefined, 20])
  expect(findFormulaFault('-'.repeat(400) + '1')?.message).toContain('最多嵌套 20 层')
  expect(findFormulaFault(Array(250).fill('1').join('+'))).toBeUndefined()
})

it('FEE-22 names of parameters are whole words of their own', () => {
  expect(['电梯费', 'k1', '费_2'].map(n => findParameterFault(n))).toEqual([undefined, undefined, undefined])
  expect(
    ['', '2费', '电梯 费', '电梯费+1', 'Ｋ', '(', '＋'].map(n =>
      findParameterFault(n)?.includes('应是一个词'),
    ),
  ).toEqual(Array(7).fill(true))
  expect(
    ['单价', 'S', 's', 'if', 'STEP', '电梯费'].map(n =>
      findParameterFault(n, ['电梯费'])?.includes('已被占用'),
    ),
  ).toEqual(Array(6).fill(true))
})

it('what does not change is worked out once, what changes is not', () => {
  expect([
    evaluateSample('IF(1<2,S,0)*2'),
    evaluateSample('IF(S>1,2,3)*2'),
    evaluateSample('IF(1<2,3,4)*2'),
    evaluateSample('IF(2<1,3,S)*2'),
  ]).toEqual(['197.3', '4', '6', '197.3'])
  expect([
    evaluateSample('STEP(Q; 15,P; *,8)', { 用量: '10' }),
    evaluateSample('STEP(Q; L,2; *,8)'),
    evaluateSample('STEP(20; 15,2; *,8)'),
    evaluateSample('STEP(Q;15,2;*,P)'),
  ]).toEqual(['28.5', '226', '70', '78.45'])
  expect(findFormulaFault('A[朝向]A[朝向]')).toMatchObject({ at: 5, length: 5 })
})

const failureCause = (text: string, values: Record<string, string>): string => {
  try {
    return formatFraction(evaluate(compileFormula(text), values))
  } catch (e) {
    return e instanceof CalculationError ? `${e.why}:${e.variable ?? ''}` : String(e)
  }
}

it('FEE-23 returns no amount rather than a wrong one', () => {
  expect(failureCause('S/L', { 建筑面积: '1', 楼层: '0' })).toBe('divisor:')
  expect(failureCause('S*P', { 建筑面积: '1' })).toBe('missing:单价')
  expect(failureCause('S-100', { 建筑面积: '1' })).toBe('range:')
  expect(failureCause('S', { 建筑面积: '99999999.99' })).toBe('99999999.99')
  expect(failureCause('S', { 建筑面积: '99999999.991' })).toBe('range:')
  expect(failureCause('STEP(Q;15,1;*,2)', { 用量: '-1' })).toBe('argument:')
  expect(failureCause('STEP(Q;L,1;*,2)', { 用量: '1', 楼层: '0' })).toBe('argument:')
  expect(failureCause('IF(L=0,7,S/L)', { 楼层: '0' })).toBe('7')
})

it('reads back what it computes: any tree, any values, against plain rational arithmetic', () => {
  type T = { text: string; n: bigint; d: bigint }
  const leaf = fc
    .tuple(fc.nat(9999), fc.nat(99))
    .map(([a, b]): T => ({ text: `${a}.${String(b).padStart(2, '0')}`, n: BigInt(a * 100 + b), d: 100n }))
  const { tree } = fc.letrec<{ tree: T }>(tie => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '×', '−'), tie('tree')).map(([a, op, b]): T => ({
        text: `(${a.text}${op}${b.text})`,
        d: a.d * b.d,
        n: op === '+' ? a.n * b.d + b.n * a.d : op === '-' || op === '−' ? a.n * b.d - b.n * a.d : a.n * b.n,
      })),
    ),
  }))
  fc.assert(
    fc.property(tree, t => {
      fc.pre(t.text.length <= 500 && findFormulaFault(t.text) === undefined)
      const r = compileFormula(t.text).run([])
      expect(r.numerator * t.d).toBe(t.n * r.denominator)
    }),
  )
})

it('never throws anything but a fault with a place, whatever is typed', () => {
  const bits = fc.constantFrom(
    'S',
    'P',
    '单价',
    '建筑面积',
    '(',
    ')',
    '+',
    '-',
    '×',
    '/',
    ',',
    ';',
    'IF',
    'MIN',
    'STEP',
    'ROUND',
    '*',
    '1',
    '0',
    '.',
    '>',
    '＝',
    'A[',
    ']',
    ' ',
    '𠮷',
    '\u3000',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(bits, { maxLength: 40 }).map(a => a.join('')),
        fc.string({ unit: 'binary', maxLength: 80 }),
      ),
      text => {
        const fault = findFormulaFault(text)
        if (fault) {
          expect(
            fault.at >= 0 && fault.at + fault.length <= text.length && /[\u4e00-\u9fff]/.test(fault.message),
          ).toBe(true)
        }
      },
    ),
    { numRuns: 2000 },
  )
})
