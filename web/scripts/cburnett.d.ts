export function cburnett(): string;
