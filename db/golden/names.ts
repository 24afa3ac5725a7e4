import { defined } from '#kit/domain/defined.ts'
import { dayOf, type Day } from '#kit/domain/day.ts'
import { computeCheckDigit } from '#kit/contract/id-card.ts'

const surnames =
  '王李张刘陈杨黄赵周吴徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万钱覃武戴孔向汤'

const givenNames =
  '伟芳娜敏静丽强磊洋艳勇军杰娟涛明超秀霞平刚桂英华玉兰红建国志文晓梅淑珍海燕婷鹏辉宇欣怡子涵浩然梓轩诗雨思远佳慧博嘉宁雪'

/** An integer from 0 up to, not including, its argument. */
export type Random = (n: number) => number

/** Names, mobiles and documents of people: the same on every machine, no mobile twice. */
export function createNamer(random: Random, prefix: string) {
  let count = 0
  const pick = (all: string): string => defined([...all][random([...all].length)])
  return {
    name: (surname = pick(surnames)): string =>
      surname + pick(givenNames) + (random(3) ? pick(givenNames) : ''),
    mobile: (): string => `${prefix}${String((++count * 7919) % 100_000_000).padStart(8, '0')}`,
    certNo: (birthday: string, male: boolean): string => {
      const digits = `320506${birthday.replaceAll('-', '')}${String(random(99)).padStart(2, '0')}${male ? 1 : 2}`
      return digits + computeCheckDigit(digits)
    },
  }
}

export type Namer = ReturnType<typeof createNamer>

export const randomDay = (random: Random, from: number, to: number): Day =>
  dayOf(from + random(to - from + 1), 1 + random(12), 1 + random(28))
