const earthRadius = 6_371_000
const toRadians = (degrees: number): number => (degrees * Math.PI) / 180

/** Metres between two points, along the surface. */
export function metresBetween(
  a: { readonly longitude: number; readonly latitude: number },
  b: { readonly longitude: number; readonly latitude: number },
): number {
  const latitudes = toRadians(b.latitude - a.latitude)
  const longitudes = toRadians(b.longitude - a.longitude)
  const h =
    Math.sin(latitudes / 2) ** 2 +
    Math.cos(toRadians(a.latitude)) * Math.cos(toRadians(b.latitude)) * Math.sin(longitudes / 2) ** 2
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(h)))
}
