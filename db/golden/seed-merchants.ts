import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql } from '#kit/server/db.ts'
import { insertAll } from '#kit/server/table.ts'
import { merchant, merchantStaff } from '#modules/merchants/contract/merchant.ts'
import type { TradeSeed } from './seed-trade.ts'

const shopNames = [
  '老灶火锅',
  '晨光文具',
  '康美药房',
  '鲜果时光',
  '丽人美发',
  '小满咖啡',
  '邻里便利店',
  '童趣绘本馆',
  '好味快餐',
  '洁净干洗',
  '宠爱宠物',
  '悦动健身',
  '绿源生鲜',
  '宏图眼镜',
  '丰巢驿站',
  '佳禾面包',
]

/** Merchants in the let shops. */
export async function seedMerchants({ tx, scope, project, homes, random, namer }: TradeSeed): Promise<void> {
  const stalls = homes.filter(home => home.roomType === 4 && home.roomState === 50)
  if (!stalls.length) return
  const merchants = stalls.map((home, i) => ({
    home,
    name: `${shopNames[i % shopNames.length]}${i >= shopNames.length ? `（${home.path}）` : ''}`,
    contact: namer.name(),
    phone: namer.mobile(),
  }))
  const ids = await insertAll(
    tx,
    merchant,
    scope,
    merchants.map((m, i) => ({
      projectCode: project,
      merchantNo: `SH${project.slice(0, 2)}${String(i + 1).padStart(4, '0')}`,
      name: m.name,
      roomId: m.home.id,
      buildCode: m.home.buildCode,
      category: ['餐饮', '零售', '服务', '教育'][i % 4],
      contactName: m.contact,
      contactPhone: m.phone,
      creditLimit: asFen((1 + random(10)) * 100_000),
      balance: 0,
      state: i % 17 === 9 ? 'shut' : 'open',
    })),
  )
  await tx.execute(
    sql`
      update merchant t
      set search_text = x.search
      from unnest(
        ${ids}::bigint[], ${merchants.map(m => buildSearchText([m.name, m.contact], [m.phone]))}::text[]
      ) as x(id, search)
      where t.owner_id = ${scope.ownerId} and t.id = x.id
    `,
  )
  await insertAll(
    tx,
    merchantStaff,
    scope,
    ids.map((merchantId, i) => ({
      projectCode: project,
      merchantId,
      name: defined(merchants[i]).contact,
      mobile: defined(merchants[i]).phone,
      roleType: 'head',
      state: 'on',
    })),
  )
}
