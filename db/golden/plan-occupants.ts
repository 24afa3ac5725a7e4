import { defined } from '#kit/domain/defined.ts'
import { addDays, addMonths, firstOfMonth, type Day } from '#kit/domain/day.ts'
import type { relation } from '#modules/residents/contract/relation.ts'
import { randomDay, type Namer, type Random } from './names.ts'
import type { Home } from './seed-residents.ts'

export interface Person {
  readonly name: string
  readonly mobile?: string
  readonly [key: string]: unknown
}

export interface Occupation {
  readonly home: Home
  readonly person: number
  readonly relation: keyof typeof relation.rows
  readonly isMain?: boolean
  readonly isPayer?: boolean
  readonly inDate?: Day
  readonly leaseBegin?: Day
  readonly leaseEnd?: Day
  readonly status?: 'living' | 'pending' | 'left'
  readonly outDate?: Day
}

/** What is planned so far; an occupation names its person by their place in the list of people. */
interface Plan {
  readonly people: Person[]
  readonly occupations: Occupation[]
  readonly random: Random
  readonly namer: Namer
  readonly today: Day
}

/** Adds a person and returns their place in the list. */
function addPerson({ people, random, namer }: Plan, home: Home, adult: boolean, surname?: string): number {
  const male = random(2) === 0
  const birthday = adult ? randomDay(random, 1952, 2002) : randomDay(random, 2008, 2024)
  return (
    people.push({
      homeProject: home.projectCode,
      name: namer.name(surname),
      gender: male ? 'male' : 'female',
      userType: 'person',
      birthday,
      source: random(5) ? 'import' : 'backOffice',
      state: 'normal',
      appBind: false,
      wechatBind: adult && random(10) < 6,
      ...(adult
        ? {
            mobile: namer.mobile(),
            ...(random(3) ? { certType: 'idCard', certNo: namer.certNo(birthday, male) } : {}),
          }
        : {}),
    }) - 1
  )
}

function addFamily(plan: Plan, home: Home, head: number, kind: 'family' | 'tenantFamily', inDate: Day): void {
  const { people, occupations, random } = plan
  const surname = [...defined(people[head]).name][0]
  if (random(4)) {
    occupations.push({ home, person: addPerson(plan, home, true), relation: kind, inDate })
  }
  for (let children = random(3); children > 0; children--) {
    occupations.push({ home, person: addPerson(plan, home, false, surname), relation: kind, inDate })
  }
}

/** Who rents the home now and, for each third one, who rented it before. */
function addTenants(plan: Plan, home: Home, position: number): void {
  const { occupations, random, today } = plan
  const year = Number(today.slice(0, 4))
  const begin = firstOfMonth(randomDay(random, year - 1, year))
  const from = begin > firstOfMonth(today) ? addMonths(firstOfMonth(today), -6) : begin
  const tenant = addPerson(plan, home, true)
  const endOfFirstYear = addDays(addMonths(from, 12), -1)
  occupations.push({
    home,
    person: tenant,
    relation: 'tenant',
    isPayer: random(2) === 0,
    inDate: from,
    leaseBegin: from,
    leaseEnd: endOfFirstYear < today ? addDays(addMonths(from, 24), -1) : endOfFirstYear,
  })
  addFamily(plan, home, tenant, 'tenantFamily', from)
  if (position % 3) return
  occupations.push({
    home,
    person: addPerson(plan, home, true),
    relation: 'tenant',
    inDate: '2023-04-01',
    outDate: '2024-03-31',
    leaseBegin: '2023-04-01',
    leaseEnd: '2024-03-31',
    status: 'left',
  })
}

/**
 * People for the homes of an estate: families where somebody lives, owners and tenants where it is let,
 * owners of most empty ones.
 */
export function planOccupants(
  homes: readonly Home[],
  random: Random,
  namer: Namer,
  today: Day,
): { people: Person[]; occupations: Occupation[] } {
  const plan: Plan = { people: [], occupations: [], random, namer, today }
  const { people, occupations } = plan
  const nextMonth = addMonths(firstOfMonth(today), 1)
  for (const [i, home] of homes.entries()) {
    const state = home.roomState
    const since = home.checkinDate ?? home.deliverDate ?? '2024-06-01'
    if (state === 10 || (state === 30 && random(10) < 3)) continue
    const isLivedIn = state === 40
    const head = addPerson(plan, home, true)
    occupations.push({
      home,
      person: head,
      relation: 'owner',
      isMain: true,
      ...(isLivedIn ? { inDate: since } : {}),
    })
    if (isLivedIn) {
      addFamily(plan, home, head, 'family', since)
    }
    if (state === 50) {
      addTenants(plan, home, i)
    }
    if (isLivedIn && i % 29 === 4) {
      occupations.push({
        home,
        person: addPerson(plan, home, true),
        relation: 'tenant',
        status: 'pending',
        leaseBegin: nextMonth,
        leaseEnd: addDays(addMonths(nextMonth, 12), -1),
      })
    }
  }
  return { people, occupations }
}
