export function draw(): string;
