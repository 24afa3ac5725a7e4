import { metresBetween } from '#kit/domain/distance.ts'

/** A place at which a phone may punch. */
export interface PunchPlaceRule {
  readonly name: string
  readonly longitude: string
  readonly latitude: string
  readonly radius: number
}

export interface PunchWifi {
  readonly name: string
  readonly bssid: string
}

export interface PhonePosition {
  readonly longitude?: string | undefined
  readonly latitude?: string | undefined
  readonly bssid?: string | undefined
}

/**
 * The name of the place or network in which a phone is, or why it may not punch. A group without rules
 * takes punches from anywhere.
 */
export function judgePosition(
  { longitude, latitude, bssid }: PhonePosition,
  places: readonly PunchPlaceRule[],
  wifis: readonly PunchWifi[],
): { readonly place?: string } | { readonly refusal: string } {
  if (!places.length && !wifis.length) return {}
  const wifi = wifis.find(known => known.bssid.toLowerCase() === bssid?.toLowerCase())
  if (wifi) return { place: wifi.name }
  if (!places.length)
    return { refusal: `请连接考勤 Wi-Fi 后打卡：${wifis.map(({ name }) => name).join('、')}` }
  if (longitude === undefined || latitude === undefined) return { refusal: '无法获取位置，请允许定位后重试' }
  const here = { longitude: Number(longitude), latitude: Number(latitude) }
  const measured = places
    .map(place => ({
      place,
      metres: metresBetween(here, { longitude: Number(place.longitude), latitude: Number(place.latitude) }),
    }))
    .toSorted((a, b) => a.metres - a.place.radius - (b.metres - b.place.radius))
  const [nearest] = measured
  if (nearest && nearest.metres <= nearest.place.radius) return { place: nearest.place.name }
  return {
    refusal: `不在打卡范围内：距「${nearest?.place.name ?? ''}」${Math.round(nearest?.metres ?? 0)} 米`,
  }
}
